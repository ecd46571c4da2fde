import type { AlertReport } from '../../../contract/alerts.ts'

/** Why a state was entered, in words; machine words come from the server's events. What a title says already has no text. */
const reasons: Record<string, { title?: string; text: string | null }> = {
  condition_met: { text: 'The condition of its rule was met.' },
  hours_found: { text: 'The hours of the day so far met the condition of its rule. The final day confirms or withdraws this.' },
  day_confirmed: { title: 'Confirmed', text: 'The final day shows it as well.' },
  day_withdrew: { title: 'Withdrawn', text: 'The final day does not show it.' },
  day_unknown: { title: 'Ended', text: 'The final figures of its day never came.' },
  week_agrees: { title: 'Confirmed', text: 'The figures of the week show it as well.' },
  token_revoked: { text: 'Google no longer accepts our access.' },
  scope_missing: { text: 'Our access to Google lacks the permission to read Search Console.' },
  api_disabled: { text: 'The Search Console API is switched off in the Google project.' },
  permission_missing: { text: 'The Google account may not read the property.' },
  property_form: { text: 'Search Console has the property under another address.' },
  data_late: { text: 'Google has completed no new day for longer than usual.' },
  acknowledged: { text: null },
  snoozed: { text: null },
  unsnoozed: { title: 'Snooze ended', text: 'Before its time.' },
  snooze_over: { title: 'Snooze ended', text: 'Its time was over, and the alert still lasts.' },
  back: { text: 'The figure is back near where it was.' },
  new_level: { text: 'The figure has stayed at its new level until that was usual.' },
  revised: { text: 'Google has revised the figures it rested on.' },
  works_again: { text: 'What kept new data away is gone.' },
  rule_changed: { title: 'Ended', text: 'Its rule was changed and no longer finds it.' },
  rule_off: { title: 'Ended', text: 'Its rule was switched off.' },
  rule_deleted: { title: 'Ended', text: 'Its rule was deleted.' },
  not_monitored: { title: 'Ended', text: 'The property is no longer monitored.' },
}

type Event = AlertReport['timeline'][number]
export type LifeEvent = {
  kind: 'opened' | 'viewed' | 'acknowledged' | 'snoozed' | 'woken' | 'confirmed' | 'ended'
  at: string
  title: string
  text: string | null
  /** Who did it; null for what happened by itself. */
  by: string | null
}

/** The life of an alert, oldest first: what happened, why, and who did it. Only its owner can have looked at it. */
export function lifeOf({ timeline, viewedAt }: Pick<AlertReport, 'timeline' | 'viewedAt'>, owner: string): LifeEvent[] {
  const events = timeline.map((event): LifeEvent => {
    const { title = titleOf(event), text } = reasons[event.reason] ?? { text: readable(event.reason) }
    return { kind: kindOf(event), at: event.at, title, text: [text, event.detail].filter(Boolean).join(' ') || null, by: event.by }
  })
  // Of one moment, it was looked at before anything was done about it; the sort is stable.
  if (viewedAt !== null) events.splice(1, 0, { kind: 'viewed', at: viewedAt, title: 'Viewed', text: null, by: owner })
  return events.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function kindOf({ from, to, reason }: Event): LifeEvent['kind'] {
  if (reason === 'day_confirmed' || reason === 'week_agrees') return 'confirmed'
  if (to === 'firing') return from === null ? 'opened' : 'woken'
  return to === 'recovered' ? 'ended' : to
}

const titles: Record<LifeEvent['kind'], string> = {
  opened: 'Opened',
  viewed: 'Viewed',
  acknowledged: 'Acknowledged',
  snoozed: 'Snoozed',
  woken: 'Open again',
  confirmed: 'Confirmed',
  ended: 'Recovered',
}
const titleOf = (event: Event): string => titles[kindOf(event)]

/** A word that is not known here: `some_new_reason` as `Some new reason.` */
function readable(reason: string): string | null {
  const words = reason.replaceAll(/[_\s]+/g, ' ').trim()
  return words === '' ? null : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`
}
