import type { ComponentProps } from 'react'
import { comparison as comparisons, type Comparison } from '../../../contract/alert-conditions.ts'
import { comparisonOptions } from '../../../core/alerting/options.ts'
import { NumberField } from '../../ui/NumberField.tsx'
import { Select } from '../../ui/Select.tsx'
import type { RuleName } from './backtest-words.ts'
import { thresholdLabel, thresholdUnit } from './rule-words.ts'

type NumberProps = Omit<ComponentProps<typeof NumberField>, 'label' | 'unit' | 'min' | 'max'>
type JudgedByProps = {
  rule: RuleName
  threshold: NumberProps
  /** Null where rules of the type have none: only those about clicks have one (SPEC §3). */
  comparison: Comparison | null
  onCompare: (comparison: Comparison) => void
  /** Null where rules of the type have none: those about clicks. */
  minimumImpressions: NumberProps | null
  disabled?: boolean
}

/** How far a figure has to go, against what, and how much there has to be of it. */
export function JudgedBy({ rule, threshold, comparison, onCompare, minimumImpressions, disabled = false }: JudgedByProps) {
  return (
    // Side by side where the card is wide enough for the longest choice.
    <div className="@container">
      <div className="grid grid-cols-1 items-start gap-4 @sm:grid-cols-2">
        <NumberField
          label={thresholdLabel(rule)}
          unit={thresholdUnit(rule)}
          min={1}
          max={rule.thresholdUnit === '%' ? 100 : undefined}
          {...threshold}
        />
        {comparison !== null && (
          <Select
            label="Compare with"
            placeholder="Choose a period"
            value={comparison}
            choices={comparisonOptions}
            disabled={disabled}
            onChange={(chosen) => onCompare(comparisons.parse(chosen))}
          />
        )}
        {minimumImpressions !== null && <NumberField label="Minimum impressions" min={1} {...minimumImpressions} />}
      </div>
    </div>
  )
}
