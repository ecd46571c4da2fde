import type { DeliverySettings, DeliverySettingsChange } from '../../../contract/delivery/delivery.ts'
import type { HeldPlan } from '../../../contract/user.ts'
import { defaultDelivery } from '../../../core/delivery/defaults.ts'
import { timeZoneOf } from '../../../core/delivery/time-zone.ts'
import { failureText } from '../../api/client.ts'
import { changeDelivery, createDelivery } from '../../api/delivery.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Settings that were never saved have no id. */
const isUnsaved = ({ id }: DeliverySettings): boolean => id === ''

/** What is shown before anything is saved: the defaults, in the local time zone. */
export const unsavedSettings = (plan: HeldPlan): DeliverySettings => ({ id: '', ...defaultDelivery(plan), timeZone: localTimeZone() })

/** The system's, which may be an offset, or an unknown name. */
export const localTimeZone = (): string => timeZoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC'

/** What happens to digests and quiet hours with an unknown time zone. */
export const unknownZoneText = (stored: string): string =>
  `We don't recognize the time zone “${stored}”. Digests and quiet hours use UTC until you choose another.`

/** Changes settings, or creates them (SPEC §7): then including the displayed switches and time zone. */
export function saveDelivery(before: DeliverySettings, change: DeliverySettingsChange): Promise<DeliverySettings> {
  if (!isUnsaved(before)) return changeDelivery(change)
  const { emailEnabled, criticalAlerts, warningAlerts, positiveAlerts, slackEnabled, timeZone } = before
  return createDelivery({ emailEnabled, criticalAlerts, warningAlerts, positiveAlerts, slackEnabled, timeZone, ...change })
}

/** SPEC §8. */
export function toastNotSaved(before: DeliverySettings, error: unknown): void {
  if (isUnsaved(before)) toast.error('Failed to create preferences', failureText(error, 'Could not create email preferences'))
  else toast.error('Failed to update preferences', failureText(error, 'Could not save email preferences'))
}

/** The settings as they will be. */
export const withChange = (settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettings =>
  ({ ...settings, ...change }) as DeliverySettings

/** The fields of a change that differ from the settings. */
export function changesIn(settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettingsChange {
  const now = new Map(Object.entries(settings).map(([field, value]) => [field, JSON.stringify(value)]))
  // UTC stands in for an unknown one, and can be chosen in its place.
  if (settings.unknownTimeZone !== undefined) now.delete('timeZone')
  return Object.fromEntries(Object.entries(change).filter(([field, value]) => now.get(field) !== JSON.stringify(value)))
}
