import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { pacificDay } from '../../../core/analytics/days.ts'

/** Why a state was entered, in words; the keys come from the server's events. Reasons that the title already covers have no text. */
const reasons: Record<string, { title?: string; text: string | null }> = {
  condition_met: { text: "The rule's condition was met." },
  hours_found: { text: "Hourly data met the rule's condition. Final data will confirm or withdraw this alert." },
  hours_worse: { title: 'Got worse', text: 'Hourly data shows a much larger change.' },
  day_confirmed: { title: 'Confirmed', text: 'Final data shows the same change.' },
  day_withdrew: { title: 'Withdrawn', text: "Final data doesn't show the change." },
  day_unknown: { title: 'Ended', text: 'Final data for this day never arrived.' },
  week_agrees: { title: 'Confirmed', text: 'Weekly data shows the same change.' },
  token_revoked: { text: 'Google access expired or was revoked.' },
  scope_missing: { text: "Google access doesn't include permission to read Search Console." },
  api_disabled: { text: 'The Search Console API is disabled in the Google Cloud project.' },
  permission_missing: { text: "The connected Google account can't read this property." },
  property_form: { text: 'Search Console lists this property under a different address.' },
  data_late: { text: 'Google is taking longer than usual to finalize a new day.' },
  acknowledged: { text: null },
  snoozed: { text: null },
  unsnoozed: { title: 'Snooze ended', text: 'Ended early.' },
  snooze_over: { title: 'Snooze ended', text: 'The alert is still active.' },
  verdict_useful: { title: 'Rated “Real change”', text: null },
  verdict_noise: { title: 'Rated “Noise”', text: null },
  verdict_cleared: { title: 'Rating removed', text: null },
  back: { text: 'The metric is back near its previous level.' },
  own_rule_changed: { title: 'No longer matches its rule', text: 'Other findings with the same cause are still open.' },
  own_back: { title: 'Back near its previous level', text: 'Other findings with the same cause are still open.' },
  own_new_level: { title: 'Settled at the new level', text: 'Other findings with the same cause are still open.' },
  own_revised: { title: 'Data revised', text: 'Other findings with the same cause are still open.' },
  own_counted_otherwise: { title: 'No longer comparable', text: 'Other findings with the same cause are still open.' },
  new_level: { title: 'Settled at the new level', text: null },
  revised: { title: 'Data revised', text: 'Google revised the data behind this alert.' },
  counted_otherwise: { title: 'Ended', text: 'Google now counts this differently, so it can no longer be compared.' },
  works_again: { text: 'Connection problem resolved.' },
  handed_over: { title: 'Stays open', text: 'Another rule found the same change.' },
  rule_changed: { title: 'Ended', text: "The rule or the property's holidays changed, and this alert no longer matches the rule." },
  rule_off: { title: 'Ended', text: 'The rule was turned off.' },
  rule_deleted: { title: 'Ended', text: 'The rule was deleted.' },
  not_monitored: { title: 'Ended', text: 'The property is no longer monitored.' },
}

type Event = AlertReport['timeline'][number]
export type LifeEvent = {
  kind: 'opened' | 'viewed' | 'acknowledged' | 'snoozed' | 'woken' | 'confirmed' | 'rated' | 'ended'
  at: string
  title: string
  text: string | null
  /** The person responsible; null if it happened automatically. */
  by: string | null
}

/** An alert's life, oldest first: what happened, why, and who did it. Only its owner can have viewed it. */
export function lifeOf({ timeline, viewedAt, ended }: Pick<AlertReport, 'timeline' | 'viewedAt' | 'ended'>, owner: string): LifeEvent[] {
  const events = timeline.map((event): LifeEvent => {
    // An improvement doesn't recover.
    const isPlain = ended?.as === 'ended' && ended.reason === event.reason
    const { title = isPlain ? 'Ended' : titleOf(event), text } = reasons[event.reason] ?? { text: readable(event.reason) }
    return { kind: kindOf(event), at: event.at, title, text: [text, event.detail].filter(Boolean).join(' ') || null, by: event.by }
  })
  // At the same moment, viewing comes before any action; the sort is stable.
  if (viewedAt !== null) events.splice(1, 0, { kind: 'viewed', at: viewedAt, title: 'Viewed', text: null, by: owner })
  return events.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** What the hours of a later day than its figures' show, if that is much larger; null if nothing, or once it is over. */
export function worseByHours({ timeline, current, state }: Pick<AlertReport, 'timeline' | 'current' | 'state'>): string | null {
  const noted = timeline.findLast(({ reason }) => reason === 'hours_worse')
  if (!noted?.detail || state === 'recovered' || current === null || current.end >= pacificDay(new Date(noted.at))) return null
  return `Hourly data shows a much larger change: ${noted.detail}`
}

function kindOf({ from, to, reason }: Event): LifeEvent['kind'] {
  if (['hours_worse', 'day_confirmed', 'week_agrees', 'handed_over'].includes(reason)) return 'confirmed'
  if (reason.startsWith('own_')) return 'confirmed'
  if (reason.startsWith('verdict_')) return 'rated'
  if (to === 'firing') return from === null ? 'opened' : 'woken'
  return to === 'recovered' ? 'ended' : to
}

const titles: Record<LifeEvent['kind'], string> = {
  opened: 'Opened',
  viewed: 'Viewed',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  woken: 'Reopened',
  confirmed: 'Confirmed',
  rated: 'Rated',
  ended: 'Recovered',
}
const titleOf = (event: Event): string => titles[kindOf(event)]

/** An unknown word: `some_new_reason` as `Some new reason.` */
function readable(reason: string): string | null {
  const words = reason.replaceAll(/[_\s]+/g, ' ').trim()
  return words === '' ? null : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`
}
