import { knownFigure, type MetricName } from './metric.ts'

// The interface is in English, so its numbers are too: "3.45%" next to "1.204" would be misread.
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export function formatCount(value: number): string {
  return whole.format(value)
}

/** `fraction` of 1; two decimals and a percent sign. */
export function formatCtr(fraction: number): string {
  return `${(fraction * 100).toFixed(2)}%`
}

/** No real position is 0: the server uses it for unknown. */
export function formatPosition(value: number): string {
  return value === 0 ? '–' : value.toFixed(1)
}

/** `share` of 1: `37%`; an existing part never shows as none, and an incomplete one never as all. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return '<1%'
  if (percent < 100 && percent > 99) return '>99%'
  return `${Math.round(percent)}%`
}

/** A part as a share of all, at most all of it: parts can be counted differently. */
export const formatPart = (part: number, all: number): string => formatShare(all === 0 ? 0 : Math.min(1, part / all))

/** `percent` as sent by the server, without its sign: the arrow next to it shows the direction. */
export function formatChange(percent: number): string {
  return `${Math.abs(percent).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`
}

export function formatMetric(metric: MetricName, value: number): string {
  switch (metric) {
    case 'clicks':
    case 'impressions':
      return formatCount(value)
    case 'ctr':
      return formatCtr(value)
    case 'position':
      return formatPosition(value)
  }
}

/** One of these figures, or a dash if it is unknown. */
export function formatFigure(metric: MetricName, figures: Readonly<Record<MetricName, number>>): string {
  const known = knownFigure(metric, figures)
  return known === null ? '–' : formatMetric(metric, known)
}

/** US dollars: `$9`, `$17.40`. */
export function formatDollars(amount: number): string {
  const cents = Number.isInteger(amount) ? 0 : 2
  const figure = Math.abs(amount).toLocaleString('en-US', { minimumFractionDigits: cents, maximumFractionDigits: cents })
  return `${amount < 0 ? '−' : ''}$${figure}`
}

/** Maximum number of characters of a name next to a chart (SPEC §9); hover and focus show all of it. */
export const pageLabelLength = 30
export const keywordLabelLength = 20

/** A text of at most this many characters, ending in '...' if truncated. */
export function cutAfter(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most).join('')}...` : text
}
