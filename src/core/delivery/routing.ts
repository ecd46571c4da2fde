import type { Severity } from '../../contract/alerts/alerts.ts'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { quietUntil } from './times.ts'

/** What happened to an alert. */
export type Announcement = {
  /** `worsened`: it became critical, worth interrupting somebody for, or much larger while it was open. */
  event: 'opened' | 'recovered' | 'woken' | 'worsened'
  severity: Severity
  /** Whether it is critical enough to interrupt somebody (alerting/unusual/interrupting.ts). */
  interrupts: boolean
  /** About the connection to Google: no data arrives until somebody acts. */
  isConnection: boolean
  /** That final data doesn't show what hours did. */
  isWithdrawn?: boolean
  /** Whether its change is much larger than the one that the channel's reader knows of. */
  isMuchLarger?: boolean
}

/** How many times as large a change must be to count as a different one from the one that was reported. */
const muchLarger = 2

/** Whether a change is much larger than an earlier one, in the same direction; what was mild may be the end of a site by then. */
export const isMuchLarger = (change: number | null, before: number | null): boolean =>
  change !== null && before !== null && before !== 0 && change / before >= muchLarger

/** What a channel does with an announcement: wait for its time, hold it back for a reason, or ignore it. */
export type Route = { send: true } | { send: false; reason: string } | null

const isOn = (channel: ChannelName, settings: DeliverySettings): boolean => settings[`${channel}Enabled`]

/**
 * What a channel's reader knows of an open alert: whether any message was about it, and whether one is yet to be written, with its state by
 * then.
 */
export type ReaderState = { isNotified: boolean; isWaiting: boolean }

/**
 * A recovery goes to whoever was notified of the drop; `worsened` goes to those who weren't, and to everybody if the change is much larger
 * than what they know (docs/decisions/0101). Webhooks get both, since software may have ignored the warning.
 */
export function routeOf(
  channel: ChannelName,
  announcement: Announcement,
  settings: DeliverySettings,
  { isNotified, isWaiting }: ReaderState,
): Route {
  if (!isOn(channel, settings)) return null
  if (announcement.event === 'worsened' && !announcement.isMuchLarger && (isWaiting || (isNotified && channel !== 'webhook'))) return null
  if (announcement.event === 'woken' && isWaiting && channel !== 'webhook') return null
  if (announcement.event === 'recovered' && !isNotified) return null
  // The receiving software has its own filters.
  if (channel === 'webhook') return { send: true }
  // The end of an improvement isn't announced, but it is announced if there never was one.
  if (announcement.event === 'recovered' && announcement.severity === 'positive' && !announcement.isWithdrawn) return null
  if (channel === 'sms') return announcement.interrupts && announcement.event !== 'recovered' ? { send: true } : null
  const reason = turnedOff(channel, announcement, settings)
  return reason === null ? { send: true } : { send: false, reason }
}

/**
 * Why a waiting announcement is dropped for a newer one of the same alert, which says all of it; undefined if both are sent. Whoever
 * handled a mild change in the app hasn't handled a much larger one, so the larger one isn't left to that message (docs/decisions/0109).
 */
export function replacedBy(channel: ChannelName, event: Announcement['event']): string | undefined {
  if (channel === 'webhook') return undefined
  return event === 'recovered' ? overReason : event === 'worsened' ? 'The alert became much worse before this was due.' : undefined
}

/** Why nobody is notified of the beginning of an alert that is over. */
export const overReason = 'The alert ended before this was due.'

/** The reason if a person's switches leave out such announcements; text messages and webhooks have none. */
export function turnedOff(
  channel: ChannelName,
  announcement: Pick<Announcement, 'event' | 'severity'>,
  settings: DeliverySettings,
): string | null {
  if (channel === 'webhook' || channel === 'sms') return null
  const name = switchFor(announcement)
  return settings[name] ? null : `${switchNames[name]} are turned off.`
}

type SeveritySwitch = 'criticalAlerts' | 'warningAlerts' | 'positiveAlerts'
const switchNames: Record<SeveritySwitch, string> = {
  criticalAlerts: 'Critical alerts',
  warningAlerts: 'Warning alerts',
  positiveAlerts: 'Notifications about positive and ended alerts',
}

/** Smaller changes than a warning's only come from rules that ask for them: they count as warnings. */
function switchFor({ event, severity }: Pick<Announcement, 'event' | 'severity'>): SeveritySwitch {
  if (event === 'recovered' || severity === 'positive') return 'positiveAlerts'
  return severity === 'critical' ? 'criticalAlerts' : 'warningAlerts'
}

/**
 * When to deliver an announcement: at once except in quiet hours, or with the next digest (null). Webhooks have no quiet hours, and a
 * broken connection doesn't wait for a digest, which would be empty.
 */
export function timeFor(
  channel: ChannelName,
  announcement: Pick<Announcement, 'isConnection'>,
  settings: DeliverySettings,
  now: Date,
): Date | null {
  if (channel === 'webhook') return now
  return settings.frequency === 'instant' || announcement.isConnection ? (quietUntil(settings, now) ?? now) : null
}
