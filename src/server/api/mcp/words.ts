import type { ComparedFigures, RowFigures } from '../../../contract/analytics.ts'
import type { AnomalyMetric } from '../../../contract/annotations.ts'
import type { Period } from '../../../contract/metrics.ts'
import { incomparableMetrics } from '../../../core/analytics/anomalies.ts'
import { changePercent } from '../../../core/analytics/totals.ts'
import { changeText, figure } from '../../../core/alerting/words.ts'

/** `1,204 clicks, 33,100 impressions, CTR 3.64%, position 8.3`. */
export const figuresText = ({ clicks, impressions, ctr, position }: RowFigures): string =>
  [
    `${figure('clicks', clicks)} clicks`,
    `${figure('impressions', impressions)} impressions`,
    `CTR ${figure('ctr', ctr)}`,
    `position ${position === 0 ? 'unknown' : figure('position', position)}`,
  ].join(', ')

/** Of which days figures are, and with which they are compared. */
export type ComparedDays = { period: Period; comparedWith: Period | null }

/** The figures that Google counted differently on some of the days, so that they do not say how anything changed. */
export const notComparable = ({ period, comparedWith }: ComparedDays): AnomalyMetric[] => incomparableMetrics(period, comparedWith)

/** The same, each figure with how it was before. */
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
    `${figure('clicks', now.clicks)} clicks (${change('clicks')})`,
    `${figure('impressions', now.impressions)} impressions (${change('impressions')})`,
    `CTR ${figure('ctr', now.ctr)} (was ${figure('ctr', previous.ctr)}${note('ctr')})`,
    `position ${position(now.position)} (was ${position(previous.position)}${note('position')})`,
  ].join(', ')
}

const position = (value: number): string => (value === 0 ? 'unknown' : figure('position', value))

export const periodText = ({ start, end }: Period): string => (start === end ? start : `${start} to ${end}`)

export const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`

export const numbered = (lines: readonly string[]): string => lines.map((line, index) => `${index + 1}. ${line}`).join('\n')

/** Paragraphs without those that have nothing to say. */
export const paragraphs = (...parts: readonly (string | false | null)[]): string => parts.filter(Boolean).join('\n\n')
