import { useQuery } from '@tanstack/react-query'
import { type Filter, readFilters } from '../../../contract/explore/explore.ts'
import { grainOfExploration } from '../../../core/analytics/exploration.ts'
import { savedQuery } from '../../api/explore.ts'
import { Select } from '../../ui/form/Select.tsx'

type SegmentSelectProps = {
  /** What the list has one row of. */
  of: 'page' | 'query' | 'date'
  /** Whether filters can be chosen here; by default, whether stored figures answer them. */
  fits?: (where: readonly Filter[]) => boolean
  /** The choice of no segment: `All pages`. */
  all: string
  value: string
  hideLabel?: boolean
  disabled?: boolean
  onChange: (segment: string) => void
}

const everything = 'all'

/** One of the person's segments, or everything. Those that no stored figures answer can't be chosen. */
export function SegmentSelect({ of, all, value, hideLabel = false, disabled = false, onChange, ...props }: SegmentSelectProps) {
  const { fits = (where) => 'grain' in grainOfExploration({ by: of, type: 'web', where }) } = props
  const { data } = useQuery(savedQuery)
  const segments = (data ?? []).filter(({ kind }) => kind === 'segment')
  const isKnown = value === '' || segments.some(({ id }) => id === value)
  return (
    <Select
      label="Segment"
      hideLabel={hideLabel}
      disabled={disabled}
      placeholder=""
      value={value === '' ? everything : value}
      choices={[
        { value: everything, label: all },
        ...segments.map(({ id, name, content }) => ({
          value: id,
          label: name,
          disabled: id !== value && !fits(readFilters(content).filters),
        })),
        ...(isKnown ? [] : [{ value, label: data === undefined ? '…' : 'Unknown segment' }]),
        ...(data !== undefined && segments.length === 0
          ? [{ value: 'none', label: 'Save filters as segments in Explore', disabled: true }]
          : []),
      ]}
      onChange={(chosen) => onChange(chosen === everything ? '' : chosen)}
    />
  )
}
