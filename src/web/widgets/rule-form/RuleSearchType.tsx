import { useId } from 'react'
import type { Monitor } from '../../../contract/alerts/conditions.ts'
import type { SearchType } from '../../../contract/common.ts'
import { searchTypeProblem } from '../../../core/alerting/options.ts'
import { SearchTypeSelect, useOfferedTypes } from '../analytics/SearchTypeSelect.tsx'
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
  if (useOfferedTypes(property, value).length === 1) return null
  // A combination that has no data stays as chosen, with the reason, rather than turning into a rule about something else.
  const problem = error ?? searchTypeProblem({ ...rule, monitor }, value)
  return (
    <fieldset aria-describedby={problem === null ? undefined : id} className="min-w-0">
      <SearchTypeSelect property={property} value={value} disabled={disabled} onChange={onChange} />
      {problem !== null && (
        <p id={id} role="alert" className="mt-1.5 text-sm text-critical">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
