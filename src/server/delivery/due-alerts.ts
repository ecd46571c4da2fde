import type { ChannelName } from '../../contract/delivery/channels.ts'
import { pacificDay } from '../../core/analytics/days.ts'
import { isMuchLarger, overReason } from '../../core/delivery/routing.ts'
import type { AlertsService, MessageAlert } from '../alerts/service.ts'
import type { Db } from '../database/open.ts'
import type { DueAlert } from './compose.ts'
import type { WaitingAnnouncement } from './pending.ts'

// What pending announcements say by the time a message is written.

type AlertsById = ReadonlyMap<string, MessageAlert>

export async function alertsOf(
  { alerts }: { alerts: Pick<AlertsService, 'forMessages'> },
  announcements: readonly WaitingAnnouncement[],
  db: Db,
): Promise<AlertsById> {
  const found = await alerts.forMessages([...new Set(announcements.map(({ alertId }) => String(alertId)))], db)
  return new Map(found.map((each) => [each.alertId, each]))
}

/** How much larger an alert's change is than its reader knows; undefined if it isn't, or not anymore, or if somebody handled it since. */
function worseOf(
  { at, change, changeBefore: before, soFar, isHandledSince }: WaitingAnnouncement,
  alert: Pick<MessageAlert, 'change' | 'current'>,
): DueAlert['worse'] {
  if (change === null || before === null || isHandledSince) return undefined
  // What the hours of a day show is superseded once the alert includes that day.
  if (soFar !== null && (alert.current === null || alert.current.end < pacificDay(at))) return { before, now: change, soFar }
  return alert.change !== null && isMuchLarger(alert.change, before) ? { before, now: alert.change } : undefined
}

/** Whether an announcement is about a much larger change than its reader knows that isn't what the alert shows by now. */
const isPast = (channel: ChannelName, each: WaitingAnnouncement, alert: MessageAlert): boolean =>
  channel !== 'webhook' && each.changeBefore !== null && worseOf(each, alert) === undefined

/** The announcements of changes that nobody will be told of, because they were over before anybody handled them. */
export const untoldOf = (channel: ChannelName, announcements: readonly WaitingAnnouncement[], alerts: AlertsById): WaitingAnnouncement[] =>
  announcements.filter((each) => {
    const alert = alerts.get(String(each.alertId))
    return alert !== undefined && !each.isHandledSince && isPast(channel, each, alert)
  })

/**
 * What a channel's announcements say by now. If a change isn't what was announced anymore, or is handled, people see its alert like any
 * other open one; a webhook still gets each event.
 */
export const dueAlertsOf = (channel: ChannelName, announcements: readonly WaitingAnnouncement[], alerts: AlertsById): DueAlert[] =>
  announcements.flatMap((each) => {
    const alert = alerts.get(String(each.alertId))
    if (!alert) return []
    return [{ event: isPast(channel, each, alert) ? 'opened' : each.event, alert, worse: worseOf(each, alert) }]
  })

/** Nobody is interrupted for an alert that they already handle, or that is over. */
const overtaken: Partial<Record<MessageAlert['state'], string>> = {
  acknowledged: 'The alert was acknowledged before this was due.',
  snoozed: 'The alert was snoozed before this was due.',
  recovered: overReason,
}

/**
 * Why nobody needs this announcement anymore. Webhooks get everything that happened. Whoever handled a mild change hasn't handled a much
 * larger one.
 */
export function overtakenBy(channel: ChannelName, announcement: WaitingAnnouncement, alerts: AlertsById): string | undefined {
  if (channel === 'webhook' || announcement.event === 'recovered') return undefined
  const alert = alerts.get(String(announcement.alertId))
  if (!alert || (alert.state !== 'recovered' && worseOf(announcement, alert))) return undefined
  return overtaken[alert.state] ?? knownBy(channel, announcement, alerts)
}

/** Why an announcement has nothing new for its reader, who was told of the alert before it became much worse for a while. */
export function knownBy(channel: ChannelName, announcement: WaitingAnnouncement, alerts: AlertsById): string | undefined {
  const alert = alerts.get(String(announcement.alertId))
  if (!alert || alert.state === 'recovered' || !announcement.isTold || !isPast(channel, announcement, alert)) return undefined
  return overtaken[alert.state] ?? 'The alert was no longer much worse when this was due.'
}
