import type { ComparedFigures, RowFigures } from '../../../contract/figures.ts'
import type { AnomalyMetric } from '../../../contract/annotations.ts'
import type { Period } from '../../../contract/metrics.ts'
import { incomparableMetrics } from '../../../core/analytics/anomalies.ts'
import { changePercent } from '../../../core/analytics/totals.ts'
import { changeText, figure } from '../../../core/alerting/copy.ts'
import { countOf } from '../../../core/words.ts'

/** `1,204 clicks, 33,100 impressions, CTR 3.64%, position 8.3`. */
export const figuresText = ({ clicks, impressions, ctr, position }: RowFigures): string =>
  [
    countOf('clicks', clicks),
    countOf('impressions', impressions),
    `CTR ${figure('ctr', ctr)}`,
    `position ${position === 0 ? 'unknown' : figure('position', position)}`,
  ].join(', ')

/** The days of the figures, and the days they are compared with. */
export type ComparedDays = { period: Period; comparedWith: Period | null }

/** The figures that Google counted differently on some of the days, so their change is meaningless. */
export const notComparable = ({ period, comparedWith }: ComparedDays): AnomalyMetric[] => incomparableMetrics(period, comparedWith)

/** Same, each figure with its previous value. */
export function comparedText({ previous, ...now }: ComparedFigures, days: ComparedDays): string {
  if (previous === null) return figuresText(now)
  const incomparable = notComparable(days)
  const note = (metric: AnomalyMetric): string => (incomparable.includes(metric) ? ', not comparable' : '')
  const change = (metric: 'clicks' | 'impressions'): string => {
    const was = `was ${figure(metric, previous[metric])}`
    if (incomparable.includes(metric)) return was + note(metric)
    return previous[metric] === 0 ? was : `${was}, ${changeText(metric, changePercent(now[metric], previous[metric]))}`
  }
  return [
    `${countOf('clicks', now.clicks)} (${change('clicks')})`,
    `${countOf('impressions', now.impressions)} (${change('impressions')})`,
    `CTR ${figure('ctr', now.ctr)} (was ${figure('ctr', previous.ctr)}${note('ctr')})`,
    `position ${position(now.position)} (was ${position(previous.position)}${note('position')})`,
  ].join(', ')
}

const position = (value: number): string => (value === 0 ? 'unknown' : figure('position', value))

export const shareText = (share: number): string => `${(100 * share).toFixed(1)}% of the impressions`

export const periodText = ({ start, end }: Period): string => (start === end ? start : `${start} to ${end}`)

export const numbered = (lines: readonly string[]): string => lines.map((line, index) => `${index + 1}. ${line}`).join('\n')

/** Joins paragraphs, leaving out empty ones. */
export const paragraphs = (...parts: readonly (string | false | null)[]): string => parts.filter(Boolean).join('\n\n')

/** Direction marks and tag characters: invisible, they could make text say something other than what people see. */
const hidden = /[\p{Cc}\u2028\u2029]+|[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu

/** User-supplied text on one line, without invisible characters. */
const visibleText = (text: string): string =>
  text.toWellFormed().replaceAll(hidden, (found) => (/[\p{Cc}\u2028\u2029]/u.test(found) ? ' ' : ''))

/** Same for every text in an answer: queries, URLs, titles and notes are data that anybody may have written. */
export function visible<T>(value: T): T
export function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (Array.isArray(value)) return value.map((each: unknown) => visible(each))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visible(each)]))
}

/** Characters for one list's rows, so that a few very long URLs don't fill a conversation. */
const roomOfAList = 24_000

/** The first rows, as many as there is room for. */
export function fitting<Row>(rows: readonly Row[], room = roomOfAList): Row[] {
  let taken = 0
  const end = rows.findIndex((row) => (taken += JSON.stringify(row).length) > room)
  return end === -1 ? [...rows] : rows.slice(0, end)
}

const longestName = 160

/** A name within a sentence: quoted, and truncated if very long. The data next to the text has all of it. */
export function quoted(name: string): string {
  const letters = Array.from(name)
  return `“${letters.length > longestName ? `${letters.slice(0, longestName).join('')}…` : name}”`
}
