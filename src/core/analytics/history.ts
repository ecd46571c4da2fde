import type { AskedPeriod } from '../../contract/analytics.ts'
import type { IsoDate } from '../../contract/common.ts'
import type {
  History,
  HistoryAsked,
  HistoryComparison,
  HistoryGrain,
  HistoryPoint,
  HistoryRange,
  NamedRange,
} from '../../contract/history.ts'
import type { Period } from '../../contract/metrics.ts'
import { addDays, countBefore, daysBetween, earlier, later, monthsBefore } from './days.ts'
import type { DayFigures } from './metrics.ts'
import { comparedPeriod, lastDays } from './periods.ts'
import { isWhole, reportPeriodOf } from './report-periods.ts'
import { totalsOf } from './totals.ts'

/** Everything that is stored of a property: its totals by day, and the days that are stored, with or without figures. */
export type StoredDays = { days: readonly DayFigures[]; stored: ReadonlySet<IsoDate>; firstDay: IsoDate; completeThrough: IsoDate }

/** The days that are asked for, as far as they may be stored, and those they are compared with. */
type HistoryPeriods = { period: Period; isWithin: boolean; compared: Period | null }

/** Null where nothing is compared, or some of its days are not stored. */
export function historyPeriods(known: Omit<StoredDays, 'days'>, { range, compare, grain }: HistoryAsked): HistoryPeriods {
  const { firstDay } = known
  const asked = askedPeriod(range, known)
  const found = within(asked, known)
  const before = found && comparedWith(found, compare, grain)
  return {
    period: found ?? asked,
    isWithin: found !== null,
    compared: before !== null && before.start >= firstDay && isWhole(before, known.stored) ? before : null,
  }
}

/** The figures of a property over some days, by day, week or month, beside those of the days that they are compared with. */
export function historyOf(property: string, known: StoredDays, asked: HistoryAsked): History {
  const { firstDay, completeThrough } = known
  const { grain } = asked
  const { period, isWithin, compared } = historyPeriods(known, asked)
  const pointsOf = (of: Period | null) => (of === null ? [] : parts(of, grain).map((part) => pointOf(part, grain, known)))
  return {
    property,
    period,
    grain,
    compared,
    points: pointsOf(isWithin ? period : null),
    previousPoints: pointsOf(compared),
    firstDay,
    completeThrough,
  }
}

const units: Record<Exclude<NamedRange, 'all'>, { days: number } | { months: number }> = {
  '7d': { days: 7 },
  '28d': { days: 28 },
  '90d': { days: 90 },
  '3m': { months: 3 },
  '6m': { months: 6 },
  '12m': { months: 12 },
  '16m': { months: 16 },
}

type Bounds = Pick<StoredDays, 'firstDay' | 'completeThrough'>

/** Enough to say which days hold nothing, and no more to look through. */
const emptyDays = 366

/**
 * The days that a list is asked for, and those it is compared with. So many days are always as many, stored or not; months, all days and
 * chosen ones are cut to what may be stored. Of chosen days of which none may be, the last are left, compared with nothing.
 */
export function askedPeriods({ days, range, compare }: AskedPeriod, known: Bounds): { current: Period; previous: Period | null } {
  const asked = range === undefined ? lastDays(known.completeThrough, days) : askedPeriod(range, known)
  const current = isCut(range) ? within(asked, known) : asked
  if (current === null) return { current: { start: later(asked.start, addDays(asked.end, -emptyDays)), end: asked.end }, previous: null }
  return { current, previous: comparedPeriod(current, daysBetween(current.start, current.end), compare) }
}

/** Whether a range may reach beyond the days that are stored and is cut to them. */
export const isCut = (range: HistoryRange | undefined): boolean =>
  range !== undefined && !(typeof range === 'string' && range !== 'all' && 'days' in units[range])

/** As much of a period as may be stored; null where that is nothing. */
function within({ start, end }: Period, { firstDay, completeThrough }: Bounds): Period | null {
  return start <= completeThrough && end >= firstDay ? { start: later(start, firstDay), end: earlier(end, completeThrough) } : null
}

function askedPeriod(range: HistoryRange, { firstDay, completeThrough }: Bounds): Period {
  if (typeof range !== 'string') return range
  if (range === 'all') return { start: firstDay, end: completeThrough }
  const unit = units[range]
  if ('days' in unit) return lastDays(completeThrough, unit.days)
  return { start: addDays(monthsBefore(completeThrough, unit.months), 1), end: completeThrough }
}

const weeksOfYear = 52

/** As many whole days, weeks or months earlier, so that the points of both lie under each other. */
function comparedWith(period: Period, compare: HistoryComparison, grain: HistoryGrain): Period | null {
  if (compare === 'none') return null
  if (grain === 'month') return monthsEarlier(period, compare === 'year' ? 12 : monthsOf(period))
  const unit = grain === 'week' ? 7 : 1
  const days = compare === 'year' ? weeksOfYear * 7 : Math.ceil(daysBetween(period.start, period.end) / unit) * unit
  return { start: addDays(period.start, -days), end: addDays(period.end, -days) }
}

/** The fewest months by which a period can be moved back and no longer touch itself. */
function monthsOf(period: Period): number {
  let months = 1
  while (monthsEarlier(period, months).end >= period.start) months += 1
  return months
}

/** A last day of a month stays one. */
function monthsEarlier({ start, end }: Period, months: number): Period {
  return { start: monthsBefore(start, months), end: addDays(monthsBefore(addDays(end, 1), months), -1) }
}

/** The days, weeks or months of a period; the first and the last may be cut by it. */
function parts({ start, end }: Period, grain: HistoryGrain): Period[] {
  const found: Period[] = []
  for (let day = start; day <= end;) {
    const last = grain === 'day' ? day : earlier(reportPeriodOf(grain, day).end, end)
    found.push({ start: day, end: last })
    day = addDays(last, 1)
  }
  return found
}

function pointOf(part: Period, grain: HistoryGrain, { days, stored }: StoredDays): HistoryPoint {
  const rows = daysWithin(days, part)
  const whole = grain === 'day' ? part : reportPeriodOf(grain, part.start)
  const isUncut = whole.start === part.start && whole.end === part.end
  return { ...part, figures: rows.length === 0 ? null : totalsOf(rows), complete: isUncut && isWhole(part, stored) }
}

/** The days of a period, of days in their order. */
export const daysWithin = (days: readonly DayFigures[], { start, end }: Period): readonly DayFigures[] =>
  days.slice(countBefore(days, start), countBefore(days, addDays(end, 1)))
