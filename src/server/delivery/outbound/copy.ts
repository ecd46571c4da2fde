import { type AnomalyMetric, anomalyMetric } from '../../../contract/annotations.ts'
import { countedDifferently } from '../../../core/reports/copy.ts'
import { type Ending, endingWords, isGoodEnding } from '../../../core/alerting/ending.ts'
import { changeText, daysOf, figure, nouns } from '../../../core/alerting/copy.ts'
import { changeOf } from '../../../core/analytics/shown-change.ts'
import type { MessageOf, MessageItem, Standing } from '../message.ts'
import { counted, countOf, listed } from '../../../core/words.ts'

type Section = Pick<MessageOf<'digest'>['properties'][number], 'standing' | 'open'>

/**
 * How a property did, to follow its name: `8,412 clicks, up 12.3% from 7,490 the week before; 1 open alert.` Both weeks are those of its
 * dashboard.
 */
export function standingSentence({ standing, open }: Section): string {
  const alerts = open === 0 ? 'no open alerts' : counted(open, 'open alert')
  return `${standing === null ? 'no complete days yet' : clicksOf(standing)}; ${alerts}.`
}

function clicksOf({ clicks: { value, previous, change, incomparable } }: Standing): string {
  const now = countOf('clicks', value)
  if (previous === null) return now
  if (incomparable !== undefined) return `${now}, not comparable with ${figure('clicks', previous)} the week before`
  const size = change === null ? null : changeText('clicks', change)
  if (value === previous || size === '0.0%') return `${now}, unchanged from the week before`
  const moved = size === null ? 'up' : `${value > previous ? 'up' : 'down'} ${size.slice(1)}`
  return `${now}, ${moved} from ${figure('clicks', previous)} the week before`
}

/** The other dashboard figures: `Impressions 45,678 (−4.6%)`, `Position 8.4 (1.2 worse)`. */
export const otherFigures = (standing: Standing): string[] =>
  (['impressions', 'ctr', 'position'] as const).map((metric) => {
    const { value, previous, change, incomparable } = standing[metric]
    // On the dashboard a position of 0 means unknown.
    const shown = metric === 'position' && value === 0 ? '–' : figure(metric, value)
    if (incomparable !== undefined) return `${nouns[metric]} ${shown} (not comparable)`
    // A position's `change` is in percent (docs/webhooks.md), which nobody reads a position by.
    const moved = metric !== 'position' ? change : previous === null ? null : changeOf('position', value, previous)
    return `${nouns[metric]} ${shown}${moved === null ? '' : ` (${changeText(metric, moved)})`}`
  })

/** Which of the shown figures of these properties can't be compared, and why; null if all can. */
export function incomparableNote(properties: readonly Section[], hasFigures: boolean): string | null {
  const isMeant = (metric: AnomalyMetric) => properties.some(({ standing }) => standing?.[metric].incomparable !== undefined)
  return countedDifferently(anomalyMetric.options.filter((metric) => (hasFigures || metric === 'clicks') && isMeant(metric)))
}

/** The compared weeks, if all properties share them. */
export function weeksOf(properties: readonly Section[]): string {
  const weeks = new Set(properties.flatMap(({ standing }) => (standing === null ? [] : [weekOf(standing)])))
  const [only, ...others] = weeks
  if (only === undefined) return ''
  return others.length === 0 ? only : 'The last 7 complete days of each property vs the previous 7.'
}

function weekOf({ current, previous, ...figures }: Standing): string {
  const otherYear = previous.start.slice(0, 4) !== current.end.slice(0, 4)
  const isCompared = Object.values(figures).some((each) => each.previous !== null)
  return `${daysOf(current, otherYear)}${isCompared ? ` vs ${daysOf(previous, otherYear)}` : ''}.`
}

/** A digest without alerts in one sentence, with what it says of the properties. Alerts announced earlier may still be open. */
export function nothingHappened(sections: readonly Section[]): string {
  const properties = sections.length === 1 ? 'your property' : `your ${sections.length.toLocaleString('en-US')} properties`
  const open = stillOpen(sections)
  return open === null ? `Nothing unusual happened on ${properties}` : `No new alerts on ${properties}, ${open}`
}

/** `2 still open`; null if no alert is. */
export function stillOpen(sections: readonly Section[]): string | null {
  const open = sections.reduce((sum, section) => sum + section.open, 0)
  return open === 0 ? null : `${open.toLocaleString('en-US')} still open`
}

/** Whether an item says that something is over, or is about something that was over by the time it was written. */
export const isOver = ({ event, state }: Pick<MessageItem, 'event' | 'state'>): boolean => event === 'recovered' || state === 'recovered'

/** Messages of earlier versions don't say how an alert ended. */
export const endingOf = ({ ended, hours }: Pick<MessageItem, 'ended' | 'hours'>): Ending =>
  ended?.as ?? (hours?.status === 'withdrawn' ? 'withdrawn' : 'recovered')

/** How it ended, in a word, and for a title. */
export const overWord = (item: Pick<MessageItem, 'ended' | 'hours'>): string => endingWords[endingOf(item)]
export const overTitle = (item: Pick<MessageItem, 'ended' | 'hours'>): string =>
  endingOf(item) === 'settled' ? 'Settled at a new level' : overWord(item)

/** An open alert that somebody is handling; null for any other, and if it became much worse since. */
export const handledWord = ({ state, worse }: Pick<MessageItem, 'state' | 'worse'>): 'acknowledged' | 'snoozed' | null =>
  worse === undefined && (state === 'acknowledged' || state === 'snoozed') ? state : null

/** `was −12.1%, now −98.0%`, `was −12.1%, now −90.4% so far on 18 Mar (through 14:00 Pacific)`; null unless it became much worse. */
export const worseText = ({ type, worse }: Pick<MessageItem, 'type' | 'worse'>): string | null =>
  worse === undefined
    ? null
    : `was ${changeText(type, worse.before)}, now ${changeText(type, worse.now)}${worse.soFar === undefined ? '' : ` ${worse.soFar}`}`

/** An open alert about something bad. */
export const isBad = (item: Pick<MessageItem, 'severity' | 'event' | 'state'>): boolean => !isOver(item) && item.severity !== 'positive'

/** An improvement, or the end of a problem: one that just settled at a new level is neither good nor bad. */
export const isGood = (item: Pick<MessageItem, 'severity' | 'event' | 'state' | 'ended' | 'hours'>): boolean =>
  isOver(item) ? isGoodEnding(endingOf(item), item.severity) : item.severity === 'positive'

/** `2 alerts, 1 acknowledged alert, 1 improvement, 1 recovery and 1 ended alert`. */
export function countsOf(items: readonly MessageItem[], more = 0): string {
  if (more > 0) return counted(items.length + more, 'alert')
  const count = (is: (item: MessageItem) => boolean) => items.filter(is).length
  const bad = (handled: string | null) => count((item) => isBad(item) && handledWord(item) === handled)
  const groups: [number, string, string?][] = [
    [bad(null), 'alert'],
    [bad('acknowledged'), 'acknowledged alert'],
    [bad('snoozed'), 'snoozed alert'],
    [count((item) => !isOver(item) && isGood(item)), 'improvement'],
    [count((item) => isOver(item) && isGood(item)), 'recovery', 'recoveries'],
    [count((item) => isOver(item) && !isGood(item)), 'ended alert'],
  ]
  return listed(groups.flatMap(([number, one, several]) => (number === 0 ? [] : [counted(number, one, several)])))
}
