import type { ConditionKind } from '../../contract/alerts/conditions.ts'
import type { AlertVerdict } from '../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../contract/common.ts'
import { gainOf } from './figures.ts'
import type { AlertMetric, Comparison, Entity, Window } from './rule.ts'

/** The facts that lists, emails and Slack messages show about an alert. */
export type Told = {
  kind: ConditionKind
  metric: AlertMetric
  entity: Entity
  previous: number | null
  current: number | null
  change: number | null
  windows: { current: Window; base: Window }
  comparison: Comparison
  /** Smart rules only: how many months usually pass between changes this large; `previous` is then the expected value. */
  months?: number
}

/** A sentence in pieces: `name` is a page or query and may contain anything. */
export type Sentence = readonly (string | { name: string })[]

/** Names of the metrics. */
export const nouns: Record<AlertMetric, string> = { clicks: 'Clicks', impressions: 'Impressions', ctr: 'CTR', position: 'Position' }

/** Labels for ratings. */
export const verdictLabels: Record<AlertVerdict, string> = { useful: 'Real change', noise: 'Noise' }

/** One line of plain text. */
export function titleOf({ kind, metric, entity, change, months }: Told): string {
  const name = entity.kind === 'query' ? `“${entity.name}”` : entity.name
  if (months !== undefined) {
    const what = `${nouns[metric]} unusually ${gainOf(metric, change ?? 0) < 0 ? 'low' : 'high'}`
    return entity.kind === 'site' ? `${what} across the site` : `${what}: ${name}`
  }
  switch (kind) {
    case 'new_query':
      return `New keyword: ${name}`
    case 'new_page':
      return `New ranking page: ${name}`
    case 'lost_query':
      return `Lost ranking: ${name}`
    case 'unusual':
    case 'change': {
      const what = `${nouns[metric]} ${gainOf(metric, change ?? 0) < 0 ? 'dropped' : metric === 'position' ? 'improved' : 'spiked'}`
      return entity.kind === 'site' ? `${what} across the site` : `${what}: ${name}`
    }
  }
}

/** What changed, from what to what, over which dates. */
export function sentenceOf(told: Told): Sentence {
  const { kind, metric, entity, previous, current, change, windows, comparison, months } = told
  if (months !== undefined) return unusualSentence(told, months)
  const otherYear = windows.current.end.slice(0, 4) !== windows.base.start.slice(0, 4)
  const before = `${comparison === 'previous_30_days' ? 'the weekly average for ' : ''}${daysOf(windows.base, otherYear)}`
  const dates = `${daysOf(windows.current, otherYear)} vs ${before}`
  const days = daysOf(windows.current)
  switch (kind) {
    case 'new_query':
      return ['The site ranked for ', subject(entity), ` for the first time, at position ${figure(metric, current)}, ${days}.`]
    case 'new_page':
      return [subject(entity), ` appeared in search for the first time, at position ${figure(metric, current)}, ${days}.`]
    case 'lost_query':
      return current === null
        ? ['The site no longer ranks for ', subject(entity), `, down from position ${figure(metric, previous)}, ${dates}.`]
        : ['Position for ', subject(entity), ` fell from ${figure(metric, previous)} to ${figure(metric, current)}, ${dates}.`]
    case 'unusual':
    case 'change': {
      const about = entity.kind === 'site' ? [] : [' for ', subject(entity)]
      const verb = gainOf(metric, change ?? 0) < 0 ? 'fell' : metric === 'position' ? 'improved' : 'rose'
      const figures = `from ${figure(metric, previous)} to ${figure(metric, current)} (${changeText(metric, change)})`
      return [nouns[metric], ...about, ` ${verb} ${figures}, ${dates}.`]
    }
  }
}

function unusualSentence({ metric, entity, previous, current, change, windows }: Told, months: number): Sentence {
  const about = entity.kind === 'site' ? [] : [' for ', subject(entity)]
  const were = metric === 'ctr' || metric === 'position' ? 'was' : 'were'
  const figures = `${figure(metric, current)} vs ${figure(metric, previous)} expected (${changeText(metric, change)})`
  return [nouns[metric], ...about, ` ${were} ${figures}, ${daysOf(windows.current, true)}. `, rarityOf(months)]
}

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

/** `−18.4%` or `+3.2 positions`, with the digits that screens show (SPEC §9). */
export function changeText(metric: AlertMetric, change: number | null): string {
  if (change === null) return 'new'
  const size = oneDigit.format(Math.abs(change))
  const sign = size === '0.0' ? '' : change < 0 ? '−' : '+'
  return metric === 'position' ? `${sign}${size} positions` : `${sign}${size}%`
}

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

/** With at most the markup of the allow-list (OPEN-POINTS 13): names stand in `code`, and nothing in them is markup. */
export const markupOf = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === 'string' ? escapeMarkup(part) : `<code>${escapeMarkup(part.name)}</code>`)).join('')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const characters = new Map(Object.entries(entities).map(([char, entity]) => [entity, char]))
/** Turns the output of `markupOf` or `escapeMarkup` back into plain text. */
export const withoutMarkup = (markup: string): string =>
  markup.replaceAll(/<\/?code>/g, '').replaceAll(/&[a-z0-9#]+;/g, (entity) => characters.get(entity) ?? entity)
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
