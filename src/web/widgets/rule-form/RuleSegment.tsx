import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Monitor } from '../../../contract/alerts/conditions.ts'
import type { SearchType } from '../../../contract/common.ts'
import { readFilters } from '../../../contract/explore/explore.ts'
import { groupedBy, noSegment, segmentProblem } from '../../../core/alerting/options.ts'
import { savedQuery } from '../../api/explore.ts'
import { SegmentSelect } from '../analytics/SegmentSelect.tsx'
import type { RuleName } from './copy.ts'

type RuleSegmentProps = {
  rule: Pick<RuleName, 'kind'>
  monitor: Monitor
  searchType: SearchType
  value: string | null
  error: string | undefined
  disabled?: boolean
  onChange: (segment: string | null) => void
}

const everything = { page: 'All pages', query: 'All keywords', date: 'Whole site' }

/** The segment a rule is limited to; not shown to people without any, unless one is set. */
export function RuleSegment({ rule, monitor, searchType, value, error, disabled = false, onChange }: RuleSegmentProps) {
  const id = useId()
  const { data } = useQuery(savedQuery)
  if (value === null && !data?.some(({ kind }) => kind === 'segment')) return null
  const of = { kind: rule.kind, monitor }
  const by = groupedBy(of)
  const chosen = data?.find((each) => each.id === value)
  const problem = error ?? (chosen === undefined ? null : segmentProblem({ ...of, searchType }, readFilters(chosen.content).filters))
  const hint = problem ?? noSegment(of)
  return (
    <fieldset aria-describedby={hint === null ? undefined : id} className="min-w-0">
      <SegmentSelect
        of={by}
        all={everything[by]}
        fits={(where) => segmentProblem({ ...of, searchType }, where) === null}
        value={value ?? ''}
        disabled={disabled || (value === null && noSegment(of) !== null)}
        onChange={(segment) => onChange(segment === '' ? null : segment)}
      />
      {hint !== null && (
        <p id={id} className={problem === null ? 'mt-1.5 text-sm text-muted' : 'mt-1.5 text-sm text-critical'}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}
