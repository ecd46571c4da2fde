import type { ComponentProps } from 'react'
import {
  comparison as comparisons,
  type Comparison,
  type Direction,
  direction as directions,
  type Monitor,
  sensitivity as sensitivities,
  type Sensitivity,
} from '../../../contract/alerts/conditions.ts'
import { comparisonOptions, directionOptions, sensitivityOptions } from '../../../core/alerting/options.ts'
import { NumberField } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { type RuleName, thresholdLabel, thresholdUnit } from './copy.ts'

type NumberProps = Omit<ComponentProps<typeof NumberField>, 'label' | 'unit' | 'min' | 'max'>
type ThresholdProps = {
  rule: RuleName
  monitor: Monitor
  direction: Direction
  onDirection: (direction: Direction) => void
  onlyUnusual: boolean
  onOnlyUnusual: (on: boolean) => void
  threshold: NumberProps
  /** Null for types without one: only rules about clicks have one (SPEC §3). */
  comparison: Comparison | null
  onCompare: (comparison: Comparison) => void
  /** Null for types without one: rules about clicks. */
  minimumImpressions: NumberProps | null
  /** Null except for a rule about unusual changes, which needs no threshold. */
  sensitivity: Sensitivity | null
  onSensitivity: (sensitivity: Sensitivity) => void
  disabled?: boolean
}

/** How far a figure has to move, compared with what, and its minimum volume. */
export function ThresholdFields({
  rule,
  monitor,
  direction,
  onDirection,
  onlyUnusual,
  onOnlyUnusual,
  disabled = false,
  ...props
}: ThresholdProps) {
  const { threshold, comparison, onCompare, minimumImpressions, sensitivity, onSensitivity } = props
  const canBeUsual = rule.kind === 'change' || rule.kind === 'lost_query'
  return (
    // Side by side if the card is wide enough for the longest choice.
    <div className="@container">
      <div className="grid grid-cols-1 items-start gap-4 @sm:grid-cols-2">
        {(rule.kind === 'change' || rule.kind === 'unusual') && (
          <Select
            label="Direction"
            placeholder="Choose a direction"
            value={direction}
            choices={directionOptions}
            disabled={disabled}
            onChange={(chosen) => onDirection(directions.parse(chosen))}
          />
        )}
        {sensitivity === null ? (
          <NumberField
            label={thresholdLabel({ ...rule, direction })}
            unit={thresholdUnit(rule)}
            min={1}
            max={rule.thresholdUnit === '%' ? 100 : undefined}
            {...threshold}
          />
        ) : (
          <Select
            label="Sensitivity"
            placeholder="Choose a sensitivity"
            value={sensitivity}
            choices={sensitivityOptions(monitor)}
            disabled={disabled}
            onChange={(chosen) => onSensitivity(sensitivities.parse(chosen))}
          />
        )}
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
      {canBeUsual && (
        <div className="mt-4">
          <Switch
            label="Only when unusual"
            hint="Ignores changes within the normal range for this site, page or keyword."
            checked={onlyUnusual}
            disabled={disabled}
            onChange={onOnlyUnusual}
          />
        </div>
      )}
    </div>
  )
}
