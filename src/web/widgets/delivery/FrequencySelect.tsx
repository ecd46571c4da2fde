import { deliveryFrequency, type DeliveryFrequency } from '../../../contract/delivery/delivery.ts'
import type { HeldPlan } from '../../../contract/user.ts'
import { frequencyRefusal } from '../../../core/billing/entitlements.ts'
import { Select } from '../../ui/form/Select.tsx'

const labels: Record<DeliveryFrequency, string> = { daily: 'Daily digest', weekly: 'Weekly digest', instant: 'Instant alerts' }
const inOrder: readonly DeliveryFrequency[] = ['daily', 'weekly', 'instant']

type FrequencySelectProps = {
  plan: HeldPlan
  frequency: DeliveryFrequency
  disabled: boolean
  onChange: (frequency: DeliveryFrequency) => void
}

/** How often alerts are sent; options that the plan doesn't include are visible with the reason, but disabled. */
export function FrequencySelect({ plan, frequency, disabled, onChange }: FrequencySelectProps) {
  const refusals = inOrder.map((value) => ({ value, refusal: frequencyRefusal(plan, value) }))
  const reasons = refusals.flatMap(({ refusal }) => refusal ?? [])
  return (
    <div className="max-w-md">
      <Select
        label="Frequency"
        placeholder="Choose how often"
        value={frequency}
        choices={refusals.map(({ value, refusal }) => ({ value, label: labels[value], disabled: refusal !== null }))}
        disabled={disabled}
        onChange={(value) => {
          const chosen = deliveryFrequency.parse(value)
          if (chosen !== frequency) onChange(chosen)
        }}
      />
      {reasons.length > 0 && (
        <ul className="mt-2 flex flex-col gap-0.5 text-sm text-muted">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
