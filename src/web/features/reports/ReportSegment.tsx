import { useQuery } from '@tanstack/react-query'
import { reportSegmentProblem } from '../../../core/analytics/exploration.ts'
import { savedQuery } from '../../api/explore.ts'
import { SegmentSelect } from '../../widgets/analytics/SegmentSelect.tsx'

type ReportSegmentProps = { value: string; hideLabel?: boolean; onChange: (segment: string) => void }

/** The segment a report is limited to; not shown to people without any, unless one is set. */
export function ReportSegment({ value, hideLabel = false, onChange }: ReportSegmentProps) {
  const { data } = useQuery(savedQuery)
  const segments = (data ?? []).filter(({ kind }) => kind === 'segment')
  if (value === '' && segments.length === 0) return null
  return (
    <div className={hideLabel ? 'w-52' : undefined}>
      <SegmentSelect
        of="date"
        all="Whole site"
        hideLabel={hideLabel}
        fits={(where) => reportSegmentProblem(where) === null}
        value={value}
        onChange={onChange}
      />
      {!hideLabel && <p className="mt-1.5 text-sm text-muted">{unfit}</p>}
    </div>
  )
}

const unfit = "Reports can't use segments that filter by country, device, search appearance or a metric."
