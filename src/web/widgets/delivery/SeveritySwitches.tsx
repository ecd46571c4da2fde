import type { DeliverySettings } from '../../../contract/delivery/delivery.ts'
import { Switch } from '../../ui/form/Switch.tsx'

type Severities = Pick<DeliverySettings, 'criticalAlerts' | 'warningAlerts' | 'positiveAlerts'>

type SeveritySwitchesProps = Severities & { disabled: boolean; onChange: (change: Partial<Severities>) => void }

/** Which alerts are sent, as categorized in core/delivery/routing.ts. */
export function SeveritySwitches({ criticalAlerts, warningAlerts, positiveAlerts, disabled, onChange }: SeveritySwitchesProps) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Alerts to send</legend>
      <Switch
        label="Critical alerts"
        hint="Changes over 30%"
        checked={criticalAlerts}
        disabled={disabled}
        onChange={(on) => onChange({ criticalAlerts: on })}
      />
      <Switch
        label="Warning alerts"
        hint="Changes of 15% to 30%, plus smaller ones your rules catch"
        checked={warningAlerts}
        disabled={disabled}
        onChange={(on) => onChange({ warningAlerts: on })}
      />
      <Switch
        label="Positive alerts"
        hint="Improvements and ended alerts"
        checked={positiveAlerts}
        disabled={disabled}
        onChange={(on) => onChange({ positiveAlerts: on })}
      />
    </fieldset>
  )
}
