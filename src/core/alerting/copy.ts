import type { ConditionKind } from '../../contract/alerts/conditions.ts'
import type { AlertExpected, AlertHours, AlertVerdict, Severity } from '../../contract/alerts/alerts.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { daysBetween } from '../analytics/days.ts'
import { countOf, listed } from '../words.ts'
import { gainOf } from './figures.ts'
import type { AlertMetric, Entity, Window } from './rule.ts'
import type { HourlyMetric } from './hours/hourly.ts'

/** The facts that lists, emails and Slack messages show about an alert. */
export type AlertFacts = {
  kind: ConditionKind
  metric: AlertMetric
  entity: Entity
  searchType?: SearchType | undefined
  /** The name of the segment that its rule is limited to. */
  segment?: string | undefined
  previous: number | null
  current: number | null
  change: number | null
  windows: { current: Window; base: Window }
  /** Smart rules only: how many months usually pass between changes this large; `previous` is then the expected value. */
  months?: number
  /** Of how many of the current days the figures are, if not of all. */
  days?: number
}

/** A sentence in pieces: `name` is a page or query and may contain anything. */
export type Sentence = readonly (string | { name: string })[]

export const nouns: Record<AlertMetric, string> = { clicks: 'Clicks', impressions: 'Impressions', ctr: 'CTR', position: 'Position' }

export const severityLabels: Record<Severity, string> = { critical: 'Critical', warning: 'Warning', info: 'Info', positive: 'Positive' }
export const verdictLabels: Record<AlertVerdict, string> = { useful: 'Real change', noise: 'Noise' }

const places: Record<SearchType, string> = {
  web: '',
  image: ' in image search',
  video: ' in video search',
  news: ' in the News tab',
  discover: ' in Discover',
  googleNews: ' in Google News',
}
/** Where people saw it: ` in Discover`; nothing for web search. */
const placeOf = (type: SearchType = 'web'): string => places[type]

/** One line of plain text; a segment without a name, as readers outside the account see it, is just a part of the site. */
export function titleOf({ kind, metric, entity, searchType, segment, change, months }: AlertFacts): string {
  const name = entity.kind === 'query' || entity.kind === 'segment' ? `“${entity.name}”` : entity.name
  // The name comes last: messages cut it where they have little room.
  const where = placeOf(searchType)
  const inSegment = where === '' ? ' in segment' : `${where}, segment`
  const within = segment === undefined || entity.kind === 'segment' ? where : `${inSegment} “${segment}”`
  const place = {
    site: ` across the site${where}`,
    segment: entity.name === '' ? `${where} in part of the site` : `${inSegment} ${name}`,
    page: `${within}: ${name}`,
    query: `${within}: ${name}`,
  }[entity.kind]
  const isLower = gainOf(metric, change ?? 0) < 0
  if (months !== undefined) return `${nouns[metric]} unusually ${isLower ? 'low' : 'high'}${place}`
  switch (kind) {
    case 'new_query':
      return `New keyword${place}`
    case 'new_page':
      return `New ranking page${place}`
    case 'lost_query':
      return `Lost ranking${place}`
    case 'unusual':
    case 'change':
      return `${nouns[metric]} ${isLower ? 'dropped' : metric === 'position' ? 'improved' : 'spiked'}${place}`
  }
}

/** What changed, from what to what, over which dates. */
export function sentenceOf(facts: AlertFacts): Sentence {
  const { kind, metric, entity, searchType, previous, current, change, windows, months } = facts
  const where = placeOf(searchType)
  if (months !== undefined) return unusualSentence(facts, months)
  const otherYear = windows.current.end.slice(0, 4) !== windows.base.start.slice(0, 4)
  // Longer periods are compared by their weekly average. Another rule than the alert's own may have found it, compared with other days.
  const isLonger = daysBetween(windows.base.start, windows.base.end) > daysBetween(windows.current.start, windows.current.end)
  const before = `${isLonger ? 'the weekly average for ' : ''}${daysOf(windows.base, otherYear)}`
  const dates = `${daysOf(windows.current, otherYear)} vs ${before}`
  const days = daysOf(windows.current)
  switch (kind) {
    case 'new_query':
      return [`The site ranked${where} for `, subject(entity), ` for the first time, at position ${figure(metric, current)}, ${days}.`]
    case 'new_page':
      return [subject(entity), ` appeared${where || ' in search'} for the first time, at position ${figure(metric, current)}, ${days}.`]
    case 'lost_query':
      return current === null
        ? [`The site no longer ranks${where} for `, subject(entity), `, down from position ${figure(metric, previous)}, ${dates}.`]
        : [`Position${where} for `, subject(entity), ` fell from ${figure(metric, previous)} to ${figure(metric, current)}, ${dates}.`]
    case 'unusual':
    case 'change': {
      const about = aboutOf(facts)
      const verb = gainOf(metric, change ?? 0) < 0 ? 'fell' : metric === 'position' ? 'improved' : 'rose'
      const figures = `from ${figure(metric, previous)} to ${figure(metric, current)}${sizeOf(metric, { previous, change })}`
      return [nouns[metric], ...about, ` ${verb} ${figures}, ${dates}.`]
    }
  }
}

function unusualSentence(facts: AlertFacts, months: number): Sentence {
  const { metric, previous, current, change, windows, days } = facts
  const about = aboutOf(facts)
  const were = metric === 'ctr' || metric === 'position' ? 'was' : 'were'
  const figures = `${figure(metric, current)} vs ${figure(metric, previous)} expected (${changeText(metric, change)})`
  const span = daysOf(windows.current, true)
  const when =
    days === undefined
      ? `, ${span}`
      : ` on ${comparedOf(days, windows.current)} ${span}. Holidays, outages and days without data are left out`
  return [nouns[metric], ...about, ` ${were} ${figures}${when}. `, rarityOf(months)]
}

/** `3 of the 10 days`, where some of a window's days aren't compared. */
export const comparedOf = (days: number, { start, end }: Window): string => `${days} of the ${daysBetween(start, end)} days`

/** How rare such a change is here: "Expect a change this large about once every 14 months." */
const rarityOf = (months: number): string =>
  months < rarest ? `Expect a change this large ${rarityWords(months)}.` : 'A change this large is very rare here.'

/** From this many months on, no exact number is given. */
const rarest = 54

/** `about once every 14 months`. */
export function rarityWords(months: number): string {
  if (months < 1.5) return 'about once a month'
  if (months < 23.5) return `about once every ${Math.round(months)} months`
  return months < rarest ? `about once every ${Math.round(months / 12)} years` : 'less than once every 4 years'
}

/** Whose figures they are. */
function aboutOf({ entity, searchType, segment }: AlertFacts): Sentence {
  const where = placeOf(searchType)
  if (entity.kind === 'site') return where === '' ? [] : [where]
  if (entity.kind === 'segment') return entity.name === '' ? [`${where} in part of the site`] : [`${where} in segment `, subject(entity)]
  return [`${where} for `, subject(entity), ...(segment === undefined ? [] : [' in segment ', { name: segment }])]
}

const subject = ({ name }: Entity): { name: string } => ({ name })

// Created once: `toLocaleString` creates a formatter with every call, which costs more than the rest of a sentence.
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A value as screens show it (SPEC §9). */
export function figure(metric: AlertMetric, value: number | null): string {
  if (value === null) return 'none'
  switch (metric) {
    case 'clicks':
    case 'impressions':
      return whole.format(Math.round(value))
    case 'ctr':
      return `${(value * 100).toFixed(2)}%`
    case 'position':
      return value.toFixed(1)
  }
}

/**
 * `−18.4%`, or `3.2 worse` for positions, with the digits that screens show (SPEC §9). Not every reader knows that smaller positions are
 * better: a word says it instead of a sign.
 */
export function changeText(metric: AlertMetric, change: number | null): string {
  if (change === null) return 'new'
  const size = oneDigit.format(Math.abs(change))
  const isLevel = size === '0.0'
  if (metric === 'position') return isLevel ? 'unchanged' : `${size} ${change < 0 ? 'better' : 'worse'}`
  return `${isLevel ? '' : change < 0 ? '−' : '+'}${size}%`
}

/** ` (−18.4%)`, to follow both figures; nothing for a rise from zero, which has no size. */
export const sizeOf = (metric: AlertMetric, { previous, change }: Pick<Compared, 'previous' | 'change'>): string =>
  change === null && previous === 0 ? '' : ` (${changeText(metric, change)})`

/** `18.4%`, `3.2 positions`: where the direction is stated elsewhere. */
export const changeSize = (metric: AlertMetric, change: number): string =>
  `${oneDigit.format(Math.abs(change))}${metric === 'position' ? ' positions' : '%'}`

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `3–9 Nov`, `27 Oct–2 Nov`, `28 Dec 2025–3 Jan 2026`; `3 Nov` for one day. */
export function daysOf({ start, end }: Window, withYear = false): string {
  const [from, to] = [partsOf(start), partsOf(end)]
  if (start === end) return `${to.day} ${to.month}${withYear ? ` ${to.year}` : ''}`
  if (from.year !== to.year) return `${from.day} ${from.month} ${from.year}–${to.day} ${to.month} ${to.year}`
  const first = from.month === to.month ? `${from.day}` : `${from.day} ${from.month}`
  return `${first}–${to.day} ${to.month}${withYear ? ` ${to.year}` : ''}`
}

function partsOf(date: IsoDate): { year: string; month: string; day: number } {
  const [year = '', month = '', day = ''] = date.split('-')
  return { year, month: months[Number(month) - 1] ?? '', day: Number(day) }
}

export const plainText = (sentence: Sentence): string => sentence.map((part) => (typeof part === 'string' ? part : part.name)).join('')

/** With at most the markup of the allow-list (OPEN-POINTS 13): names are in `code`, and nothing in them counts as markup. */
export const markupOf = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === 'string' ? escapeMarkup(part) : `<code>${escapeMarkup(part.name)}</code>`)).join('')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const characters = new Map(Object.entries(entities).map(([char, entity]) => [entity, char]))
/** Turns the output of `markupOf` or `escapeMarkup` back into plain text. */
export const withoutMarkup = (markup: string): string =>
  markup.replaceAll(/<\/?code>/g, '').replaceAll(/&[a-z0-9#]+;/g, (entity) => characters.get(entity) ?? entity)
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)

/** `610–820`, from the lower to the higher end of a usual range. */
export function rangeText(metric: AlertMetric, { low, high }: { low: number; high: number }): string {
  const [from, to] = [figure(metric, low), figure(metric, high)]
  return from === to ? from : metric === 'ctr' ? `${from.slice(0, -1)}–${to}` : `${from}–${to}`
}

/** `Expected 703, usually 610–820; a change this large occurs about once every 8 months.` */
export function expectedSentence(metric: AlertMetric, { value, low, high, months: often }: AlertExpected): string {
  const rare = often === undefined ? '' : `; a change this large occurs ${rarityWords(often)}`
  return `Expected ${figure(metric, value)}${metric === 'ctr' ? ' at this position' : ''}, usually ${rangeText(metric, { low, high })}${rare}.`
}

type Begun = { type: AlertMetric; firstDay?: IsoDate | undefined; expected?: AlertExpected | undefined; hours?: AlertHours | undefined }

/** When it began and what was expected, as far as known: `since Tue 18 Nov; expected 610–820`. Sentences about hours say it themselves. */
export function beginningText({ type, firstDay, expected, hours }: Begun): string | null {
  if (hours !== undefined) return null
  const parts = [
    ...(firstDay === undefined ? [] : [`since ${weekday(firstDay).slice(0, 3)} ${shortDay(firstDay)}`]),
    ...(expected === undefined ? [] : [`expected ${rangeText(type, expected)}`]),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}

type Compared = { current: number | null; previous: number | null; change: number | null }

/** The facts that are shown about an alert opened by hours. */
export type HourlyFacts = Compared & { metric: HourlyMetric; hours: AlertHours & { seen?: number }; final: Compared | null }

/** One line; plain text. */
export function hourlyTitleOf({ metric, change, hours }: HourlyFacts): string {
  const what = `${nouns[metric]} ${gainOf(metric, change ?? 0) < 0 ? 'dropped' : 'spiked'} across the site`
  const when = hours.status === 'confirmed' ? `on ${shortDay(hours.day)}` : soFar(hours)
  return `${what} ${when}${hours.status === 'preliminary' ? ', preliminary' : ''}`
}

/** What changed, from what to what, by what time of day, and what the final day showed. */
export function hourlySentenceOf({ metric, hours, final, ...figures }: HourlyFacts): string {
  const verb = gainOf(metric, figures.change ?? 0) < 0 ? 'fell' : 'rose'
  const moved = `${nouns[metric]} ${verb} from the usual ${figure(metric, figures.previous)} to ${figure(metric, figures.current)} (${changeText(metric, figures.change)})`
  switch (hours.status) {
    case 'preliminary':
      return `${moved} ${soFar(hours, weekday(hours.day))}. This is preliminary: final data, due in two or three days, will confirm or withdraw the alert.`
    case 'withdrawn':
      return `${moved} ${soFar(hours, weekday(hours.day))}. ${final === null ? 'The' : `${finalDay(metric, hours.day, final)}, so the`} alert was withdrawn.`
    case 'confirmed':
      return `${moved} on ${weekday(hours.day)}, ${shortDay(hours.day)}. First seen in hourly data${hours.seen === undefined ? '' : ` at ${clockOf({ through: hours.seen })} Pacific`}, then confirmed by final data.`
  }
}

/** Short labels for an hourly alert's two figures; null once the daily evaluation has taken over and they no longer cover a single day. */
export function comparedHours(hours: AlertHours | undefined, current: { start: IsoDate; end: IsoDate } | null) {
  if (hours === undefined || current === null || current.start !== current.end) return null
  if (hours.status === 'confirmed') return { usual: `expected for a ${weekday(hours.day)}`, now: shortDay(hours.day) }
  return {
    usual: `expected for a ${weekday(hours.day)} by then`,
    now: hours.through === 24 ? shortDay(hours.day) : `${shortDay(hours.day)} through ${clockOf(hours)} Pacific`,
  }
}

/**
 * Why a timeline has an entry about the final day, with its figures: `Final data for Wednesday, 18 Mar: 905 clicks vs the usual 930
 * (−2.7%)`.
 */
export const finalDay = (metric: HourlyMetric, day: IsoDate, { current, previous, change }: Compared): string =>
  `Final data for ${weekday(day)}, ${shortDay(day)}: ${countOf(metric, current)} vs the usual ${figure(metric, previous)} (${changeText(metric, change)})`

/** What the hours of a day show, for a timeline: `120 clicks so far on 18 Mar (through 14:00 Pacific) vs the usual 1,400 (−91.4%).` */
export const hourlyDetail = (metric: AlertMetric, hours: AlertHours, { current, previous, change }: Compared): string =>
  `${countOf(metric, current)} ${soFar(hours)} vs the usual ${figure(metric, previous)} (${changeText(metric, change)}).`

/** `so far on 18 Mar (through 14:00 Pacific)`; a day that was counted to its end is not `so far`. */
export const soFar = (hours: AlertHours, name?: string): string => {
  const day = `${name === undefined ? '' : `${name}, `}${shortDay(hours.day)}`
  return hours.through === 24 ? `on ${day} (all hours)` : `so far on ${day} (through ${clockOf(hours)} Pacific)`
}

const clockOf = ({ through }: Pick<AlertHours, 'through'>): string => `${String(through).padStart(2, '0')}:00`

/** `18 Mar` */
const shortDay = (day: IsoDate): string => daysOf({ start: day, end: day }).replace(/^.*–/, '')

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const weekday = (day: IsoDate): string => weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''

/** Which rules found an alert, if there are several. */
export const foundBy = (titles: readonly string[]): string => `Found by the rules ${listed(titles.map((title) => `“${title}”`))}.`
