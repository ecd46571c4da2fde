import type { ComparedFigures, RowFigures } from '../../../contract/analytics.ts'
import type { Period } from '../../../contract/metrics.ts'
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

/** The same, each figure with how it was before. */
export function comparedText({ previous, ...now }: ComparedFigures): string {
  if (previous === null) return figuresText(now)
  const change = (metric: 'clicks' | 'impressions') =>
    previous[metric] === 0
      ? `was 0`
      : `was ${figure(metric, previous[metric])}, ${changeText(metric, changePercent(now[metric], previous[metric]))}`
  return [
    `${figure('clicks', now.clicks)} clicks (${change('clicks')})`,
    `${figure('impressions', now.impressions)} impressions (${change('impressions')})`,
    `CTR ${figure('ctr', now.ctr)} (was ${figure('ctr', previous.ctr)})`,
    `position ${position(now.position)} (was ${position(previous.position)})`,
  ].join(', ')
}

const position = (value: number): string => (value === 0 ? 'unknown' : figure('position', value))

export const periodText = ({ start, end }: Period): string => (start === end ? start : `${start} to ${end}`)

export const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`

export const numbered = (lines: readonly string[]): string => lines.map((line, index) => `${index + 1}. ${line}`).join('\n')

/** Paragraphs without those that have nothing to say. */
export const paragraphs = (...parts: readonly (string | false | null)[]): string => parts.filter(Boolean).join('\n\n')
