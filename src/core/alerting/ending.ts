import type { AlertEnd, Severity } from '../../contract/alerts/alerts.ts'
import { countOf } from '../words.ts'
import { figure } from './copy.ts'
import type { AlertMetric } from './rule.ts'

/** How an alert ended. Only `recovered` means back to normal; `withdrawn` means that it never happened. */
export type Ending = AlertEnd['as']
/** The figure that a metric settled at, and the one before the alert; sums are of this many days. Null: there was none. */
export type Level = NonNullable<AlertEnd['level']>

type Ended = { reason: string | null; level?: Level | undefined; severity: Severity; isWithdrawn: boolean }

/** `reason` is that of the alert's last event; null if it isn't known. */
export function endingOf({ reason, level, severity, isWithdrawn }: Ended): Ending {
  if (reason === 'day_withdrew' || isWithdrawn) return 'withdrawn'
  switch (reason) {
    case 'back':
    case 'works_again':
    case null:
      // The end of an improvement isn't a recovery.
      return severity === 'positive' ? 'ended' : 'recovered'
    case 'new_level':
      // Something new has no earlier level.
      return (level ? level.before === null : severity === 'positive') ? 'ended' : 'settled'
    case 'revised':
      return 'revised'
    default:
      return 'ended'
  }
}

export const endingWords: Record<Ending, string> = {
  recovered: 'Recovered',
  withdrawn: 'Withdrawn',
  settled: 'Settled',
  revised: 'Data revised',
  ended: 'Ended',
}

/** The end of a problem; that of an improvement isn't good news. */
export const isGoodEnding = (ending: Ending, severity: string): boolean =>
  ending === 'recovered' || (ending === 'withdrawn' && severity !== 'positive')

/** Ends that follow from what the owner did, or that say nothing about the metric: nobody is notified of them. */
const silent = new Set(['rule_changed', 'rule_off', 'rule_deleted', 'not_monitored', 'day_unknown', 'counted_otherwise'])
export const isSilentEnd = (reason: string): boolean => silent.has(reason)

/** `280 clicks a week, was 700`; without what it was: `280 clicks a week`. */
export function levelText(metric: AlertMetric, { value, before, days }: Level): string {
  const was = before === null ? '' : `, was ${figure(metric, before)}`
  switch (metric) {
    case 'clicks':
    case 'impressions':
      return `${countOf(metric, value)} ${days === 7 ? 'a week' : days === 1 ? 'a day' : `in ${days} days`}${was}`
    case 'ctr':
      return value === null ? `no impressions${was && `, CTR${was.slice(1)}`}` : `CTR ${figure(metric, value)}${was}`
    case 'position':
      return value === null
        ? `no longer ranking${was && `${was.replace('was', 'was at position')}`}`
        : `position ${figure(metric, value)}${was}`
  }
}

/** The same as a sentence, for a timeline. */
export function levelSentence(metric: AlertMetric, level: Level): string {
  const said = levelText(metric, level)
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}.`
}

type Figures = {
  current: number | null
  previous: number | null
  windows: { current: Days }
  months?: number | undefined
  days?: number | undefined
}
type Days = { start: string; end: string }
const dayMs = 86_400_000
const lengthOf = ({ start, end }: Days): number => Math.round((Date.parse(end) - Date.parse(start)) / dayMs) + 1

/**
 * The level that an alert's metric settled at.
 * @param opening the figures that opened it @param latest the last evaluated ones
 * @param value the figure of the same number of days as `opening` when it ended, if known; smart rules look at varying numbers of days,
 * whose sums aren't comparable
 */
export function levelOf(metric: AlertMetric, opening: Figures, latest: Figures, value?: number | null | Level): Level {
  if (typeof value === 'object' && value !== null) return value
  const [length, last] = [opening, latest].map(({ days, windows }) => days ?? lengthOf(windows.current)) as [number, number]
  const before = opening.previous
  const isSum = metric === 'clicks' || metric === 'impressions'
  if (value !== undefined && (opening.months === undefined || !isSum)) return { value, before, days: length }
  if (!isSum || length === last) return { value: latest.current, before, days: last }
  const daily = (sum: number | null, days: number) => (sum === null ? null : sum / days)
  return { value: daily(latest.current, last), before: daily(before, length), days: 1 }
}
