import type { DeliverySettings, DeliverySettingsChange } from '../../../contract/delivery/delivery.ts'
import type { HeldPlan } from '../../../contract/user.ts'
import { defaultDelivery } from '../../../core/delivery/defaults.ts'
import { timeZoneOf } from '../../../core/delivery/time-zone.ts'
import { failureText } from '../../api/client.ts'
import { changeDelivery, createDelivery } from '../../api/delivery.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Settings that were never saved have no id. */
const isUnsaved = ({ id }: DeliverySettings): boolean => id === ''

/** What is shown until somebody has saved some: the defaults, in the time zone of where they are. */
export const unsavedSettings = (plan: HeldPlan): DeliverySettings => ({ id: '', ...defaultDelivery(plan), timeZone: localTimeZone() })

/** That of the system, which may be set to an offset, or to one that nobody knows. */
export const localTimeZone = (): string => timeZoneOf(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC'

/** What becomes of digests and quiet hours whose time zone nobody knows. */
export const unknownZoneText = (stored: string): string =>
  `We don't recognize the time zone “${stored}”. Digests and quiet hours use UTC until you choose another.`

/** What an address that nobody has confirmed keeps from being sent. */
export function waitingAlertsText(alerts: number): string {
  if (alerts === 0) return 'Alert emails are held until you open it.'
  return alerts === 1 ? '1 alert will be emailed when you open it.' : `${alerts} alerts will be emailed when you open it.`
}

/** Changes settings, or creates them (SPEC §7): then the switches and the time zone that were shown go along. */
export function saveDelivery(before: DeliverySettings, change: DeliverySettingsChange): Promise<DeliverySettings> {
  if (!isUnsaved(before)) return changeDelivery(change)
  const { emailEnabled, criticalAlerts, warningAlerts, positiveAlerts, slackEnabled, timeZone } = before
  return createDelivery({ emailEnabled, criticalAlerts, warningAlerts, positiveAlerts, slackEnabled, timeZone, ...change })
}

/** SPEC §8. */
export function tellNotSaved(before: DeliverySettings, error: unknown): void {
  if (isUnsaved(before)) toast.error('Failed to create preferences', failureText(error, 'Could not create email preferences'))
  else toast.error('Failed to update preferences', failureText(error, 'Could not save email preferences'))
}

/** The fields of a change in which it differs from the settings. */
export function changesIn(settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettingsChange {
  const now = new Map(Object.entries(settings).map(([field, value]) => [field, JSON.stringify(value)]))
  // UTC stands in for one that nobody knows, and can be chosen in its place.
  if (settings.unknownTimeZone !== undefined) now.delete('timeZone')
  return Object.fromEntries(Object.entries(change).filter(([field, value]) => now.get(field) !== JSON.stringify(value)))
}
