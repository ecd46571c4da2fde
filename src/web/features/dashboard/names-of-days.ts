import type { Period } from '../../../contract/metrics.ts'
import type { HistoryAsked } from '../../../contract/range.ts'
import { daysBetween } from '../../../core/analytics/days.ts'
import { formatPeriod } from '../../lib/dates.ts'

/** A screen's days, and what they are compared with. */
export type ShownDays = Pick<HistoryAsked, 'range' | 'compare'>
/** The days themselves; missing if unknown. */
export type KnownDays = { current?: Period | undefined; previous?: Period | null | undefined }

/** `7 days`, `3 months`; null if the days are chosen ones, or all. */
function lengthOf({ range }: ShownDays, { current }: KnownDays): string | null {
  if (range === 'all') return null
  if (typeof range !== 'string') return current === undefined ? null : days(daysBetween(current.start, current.end))
  const count = Number.parseInt(range, 10)
  return range.endsWith('m') ? `${count} months` : days(count)
}

const days = (count: number): string => (count === 1 ? 'day' : `${count} days`)

/** What a card's change is relative to: `previous 7 days`. */
export function comparedName(shown: ShownDays, known: KnownDays): string {
  if (shown.compare === 'year') return 'previous year'
  if (typeof shown.compare !== 'string') return known.previous ? formatPeriod(known.previous) : 'chosen days'
  return `previous ${lengthOf(shown, known) ?? 'period'}`
}

/** Days as parts of a sentence. */
export type NamesOfDays = {
  /** `in the last 7 days` */
  now: string
  /** After *from* or *with*: `the week before`. */
  before: string
  /** When that was: `in the 28 days before`. */
  earlier: string
  /** Both: `in the last two weeks`. */
  both: string
}

export function namesOf(shown: ShownDays, known: KnownDays): NamesOfDays {
  const { range, compare } = shown
  const length = lengthOf(shown, known)
  const now =
    range === 'all' ? 'across all stored days' : typeof range === 'string' ? `in the last ${length}` : `for ${formatPeriod(range, true)}`
  if (compare === 'year') {
    const before = 'the same days a year earlier'
    return { now, before, earlier: `on ${before}`, both: `${now} or on ${before}` }
  }
  if (typeof compare !== 'string') {
    const before = known.previous ? formatPeriod(known.previous, true) : 'the chosen days'
    return { now, before, earlier: `for ${before}`, both: `${now} or for ${before}` }
  }
  if (range === '7d') return { now, before: 'the week before', earlier: 'the week before', both: 'in the last two weeks' }
  const before = `the ${length ?? 'period'} before`
  const earlier = `${length === 'day' ? 'on' : 'in'} ${before}`
  return { now, before, earlier, both: `${now} or ${earlier}` }
}
