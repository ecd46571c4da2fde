import type { Severity } from '../../contract/alerts/alerts.ts'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { quietUntil } from './times.ts'

/** What happened to an alert. */
export type News = {
  event: 'opened' | 'recovered' | 'woken'
  severity: Severity
  /** Whether it is critical and to be woken for (alerting/interrupting.ts). */
  interrupts: boolean
  /** Of the connection to Google: data stays away until somebody acts. */
  isConnection: boolean
}

/** What becomes of it through a channel: it waits for its time, is held back for a reason, or is none of the channel's business. */
export type Route = { tell: true } | { tell: false; reason: string } | null

const isOn = (channel: ChannelName, settings: DeliverySettings): boolean => settings[`${channel}Enabled`]

/** `opening`: what became of the alert's opening through this channel; a recovery is told to whoever was told of the fall. */
export function routeOf(channel: ChannelName, news: News, settings: DeliverySettings, opening: 'waiting' | 'told' | null): Route {
  if (!isOn(channel, settings)) return null
  // The message that tells of the opening is still to be put together, and will say how the alert stands by then.
  if (news.event === 'recovered' && opening !== 'told') return null
  // Software at the other end has its own filters.
  if (channel === 'webhook') return { tell: true }
  if (channel === 'sms') return news.interrupts && news.event !== 'recovered' ? { tell: true } : null
  const name = switchFor(news)
  return settings[name] ? { tell: true } : { tell: false, reason: `${switchNames[name]} are turned off.` }
}

type SeveritySwitch = 'criticalAlerts' | 'warningAlerts' | 'positiveAlerts'
const switchNames: Record<SeveritySwitch, string> = {
  criticalAlerts: 'Critical alerts',
  warningAlerts: 'Warning alerts',
  positiveAlerts: 'Positive alerts (including recoveries)',
}

/** Smaller changes than a warning's are only looked for by a rule that asks for them: they go with the warnings. */
function switchFor({ event, severity }: News): SeveritySwitch {
  if (event === 'recovered' || severity === 'positive') return 'positiveAlerts'
  return severity === 'critical' ? 'criticalAlerts' : 'warningAlerts'
}

/**
 * When news is told: at once but not in quiet hours, or with the next digest (null). What software reads has no quiet
 * hours, and a connection that broke does not wait for a digest: there would be nothing in it.
 */
export function timeFor(channel: ChannelName, news: Pick<News, 'isConnection'>, settings: DeliverySettings, now: Date): Date | null {
  if (channel === 'webhook') return now
  return settings.frequency === 'instant' || news.isConnection ? (quietUntil(settings, now) ?? now) : null
}
