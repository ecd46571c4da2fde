import type { Period } from '../../../contract/metrics.ts'
import type { HistoryAsked } from '../../../contract/range.ts'
import { daysBetween } from '../../../core/analytics/days.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { isOfAnotherYear } from '../../widgets/analytics/coverage/years-of-periods.ts'

/** A screen's days, and what they are compared with. */
export type ShownDays = Pick<HistoryAsked, 'range' | 'compare'>
/** The days themselves; missing if unknown. */
export type KnownDays = { current?: Period | undefined; previous?: Period | null | undefined }

/** `7 days`; null if unknown. Months too are compared with as many days: the three months before would be others. */
function lengthOf({ range }: ShownDays, { current }: KnownDays): string | null {
  if (current !== undefined) return days(daysBetween(current.start, current.end))
  return typeof range === 'string' && range.endsWith('d') ? days(Number.parseInt(range, 10)) : null
}

const days = (count: number): string => (count === 1 ? 'day' : `${count} days`)

/** What a card's change is relative to: `previous 7 days`. */
export function comparedName(shown: ShownDays, known: KnownDays): string {
  if (shown.compare === 'year') return 'previous year'
  if (typeof shown.compare !== 'string') return nameOfChosen(known)
  return `previous ${lengthOf(shown, known) ?? 'period'}`
}

const nameOfChosen = ({ current, previous }: KnownDays): string =>
  previous ? formatPeriod(previous, current !== undefined && isOfAnotherYear(current, previous)) : 'chosen days'

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
    range === 'all'
      ? 'across all stored days'
      : typeof range === 'string'
        ? `in the last ${Number.parseInt(range, 10)} ${range.endsWith('m') ? 'months' : 'days'}`
        : `for ${formatPeriod(range, true)}`
  if (compare === 'year') {
    const before = 'the same weekdays a year earlier'
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
