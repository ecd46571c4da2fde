import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Monitor } from '../../../contract/alerts/conditions.ts'
import { type SearchType, searchType, searchTypes } from '../../../contract/common.ts'
import { searchTypeProblem } from '../../../core/alerting/options.ts'
import { typeLabels } from '../../../core/analytics/exploration.ts'
import { searchTypesQuery } from '../../api/analytics.ts'
import { Select } from '../../ui/form/Select.tsx'
import type { RuleName } from './copy.ts'

type RuleSearchTypeProps = {
  property: string
  rule: Pick<RuleName, 'kind' | 'type'>
  monitor: Monitor
  value: SearchType
  error: string | undefined
  disabled?: boolean
  onChange: (type: SearchType) => void
}

/** The search type a rule is about; not shown for properties that have only web search, unless another one is set. */
export function RuleSearchType({ property, rule, monitor, value, error, disabled = false, onChange }: RuleSearchTypeProps) {
  const id = useId()
  const { data = [] } = useQuery(searchTypesQuery(property, { range: 'all', compare: 'none' }))
  const stored = new Set<SearchType>(['web', value, ...data.map(({ type }) => type)])
  if (stored.size === 1) return null
  // A combination that has no data stays as chosen, with the reason, rather than turning into a rule about something else.
  const problem = error ?? searchTypeProblem({ ...rule, monitor }, value)
  return (
    <fieldset aria-describedby={problem === null ? undefined : id} className="min-w-0">
      <Select
        label="Search type"
        placeholder="Choose a search type"
        value={value}
        choices={searchTypes.filter((type) => stored.has(type)).map((type) => ({ value: type, label: typeLabels[type] }))}
        disabled={disabled}
        onChange={(chosen) => onChange(searchType.parse(chosen))}
      />
      {problem !== null && (
        <p id={id} role="alert" className="mt-1.5 text-sm text-critical">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
