import type { AskedPeriod } from '../../contract/analytics.ts'
import type { ExpectedDay } from '../../contract/figures.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { History, HistoryAsked, HistoryGrain, HistoryPoint, HistoryRange, NamedRange } from '../../contract/history.ts'
import type { Period } from '../../contract/metrics.ts'
import { addDays, countBefore, dayNumber, daysBetween, earlier, later, monthsBefore } from './days.ts'
import type { DayFigures } from './metrics.ts'
import { comparedPeriod, lastDays } from './periods.ts'
import { isWhole, reportPeriodOf } from './report-periods.ts'
import { totalsOf } from './totals.ts'

/** All that is stored of a property: its daily totals, and the stored days, with or without figures. */
export type StoredDays = { days: readonly DayFigures[]; stored: ReadonlySet<IsoDate>; firstDay: IsoDate; completeThrough: IsoDate }

/** The requested days, limited to what can be stored, and the days they are compared with. */
type HistoryPeriods = { period: Period; isWithin: boolean; compared: Period | null }

/** `compared` is null without a comparison, or if some of its days aren't stored. The interval never changes it (decision 0116). */
export function historyPeriods(
  known: Omit<StoredDays, 'days'>,
  { range, compare }: Pick<HistoryAsked, 'range' | 'compare'>,
): HistoryPeriods {
  const { firstDay } = known
  const asked = askedPeriod(range, known)
  const found = within(asked, known)
  const before = found && comparedPeriod(found, daysBetween(found.start, found.end), compare)
  return {
    period: found ?? asked,
    isWithin: found !== null,
    compared: before !== null && before.start >= firstDay && isWhole(before, known.stored) ? before : null,
  }
}

/**
 * A property's figures over some days, by day, week or month, next to those of the compared days.
 * @param expected the expected clicks of the stored days
 */
export function historyOf(property: string, known: StoredDays, asked: HistoryAsked, expected: readonly ExpectedDay[] = []): History {
  const { firstDay, completeThrough } = known
  const { grain } = asked
  const { period, isWithin, compared } = historyPeriods(known, asked)
  const current = isWithin ? parts(period, grain) : []
  // The compared days line up with the period's weeks and months, whatever their own: each point is compared with as many days.
  const pointsOf = (move: (part: Period) => Period) => current.map((part) => pointOf(move(part), isUncut(part, grain), known))
  return {
    property,
    period,
    grain,
    compared,
    points: pointsOf((part) => part),
    previousPoints: compared === null ? [] : pointsOf((part) => moved(part, period, compared)),
    expectedClicks: grain === 'day' ? expected.filter(({ date }) => date >= period.start && date <= period.end) : [],
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

/** Enough to show which days are empty, without more to look through. */
const emptyDays = 366

/**
 * The requested days of a list, and the days to compare with. A number of days always stays that many, stored or not; months, all days and
 * chosen days are limited to what can be stored. If that leaves none of the chosen days, the latest ones are used, without a comparison.
 */
export function askedPeriods({ days, range, compare }: AskedPeriod, known: Bounds): { current: Period; previous: Period | null } {
  const asked = range === undefined ? lastDays(known.completeThrough, days) : askedPeriod(range, known)
  const current = isCut(range) ? within(asked, known) : asked
  if (current === null) return { current: { start: later(asked.start, addDays(asked.end, -emptyDays)), end: asked.end }, previous: null }
  return { current, previous: comparedPeriod(current, daysBetween(current.start, current.end), compare) }
}

/** Whether a range may exceed the stored days and is limited to them. */
export const isCut = (range: HistoryRange | undefined): boolean =>
  range !== undefined && !(typeof range === 'string' && range !== 'all' && 'days' in units[range])

/** The part of a period that can be stored; null if there is none. */
function within({ start, end }: Period, { firstDay, completeThrough }: Bounds): Period | null {
  return start <= completeThrough && end >= firstDay ? { start: later(start, firstDay), end: earlier(end, completeThrough) } : null
}

function askedPeriod(range: HistoryRange, { firstDay, completeThrough }: Bounds): Period {
  if (typeof range !== 'string') return range
  if (range === 'all') return { start: firstDay, end: completeThrough }
  const unit = units[range]
  if ('days' in unit) return lastDays(completeThrough, unit.days)
  // At the end of a month, whole months: April's last day is 3 months after January's, not after the 30th.
  const start = later(addDays(monthsBefore(completeThrough, unit.months), 1), monthsBefore(addDays(completeThrough, 1), unit.months))
  return { start, end: completeThrough }
}

/** The days, weeks or months of a period; the first and the last may be partial. */
export function parts({ start, end }: Period, grain: HistoryGrain): Period[] {
  const found: Period[] = []
  for (let day = start; day <= end;) {
    const last = grain === 'day' ? day : earlier(reportPeriodOf(grain, day).end, end)
    found.push({ start: day, end: last })
    day = addDays(last, 1)
  }
  return found
}

/** A part of one period at the same place in another. */
function moved({ start, end }: Period, from: Period, to: Period): Period {
  const days = dayNumber(to.start) - dayNumber(from.start)
  return { start: addDays(start, days), end: addDays(end, days) }
}

/** Whether a part of a period is a day, or a whole week or month. */
export function isUncut(part: Period, grain: HistoryGrain): boolean {
  const whole = grain === 'day' ? part : reportPeriodOf(grain, part.start)
  return whole.start === part.start && whole.end === part.end
}

function pointOf(part: Period, isWholePart: boolean, { days, stored }: StoredDays): HistoryPoint {
  const rows = daysWithin(days, part)
  return { ...part, figures: rows.length === 0 ? null : totalsOf(rows), complete: isWholePart && isWhole(part, stored) }
}

/** The figures within a period, from figures sorted by day. */
export const daysWithin = (days: readonly DayFigures[], { start, end }: Period): readonly DayFigures[] =>
  days.slice(countBefore(days, start), countBefore(days, addDays(end, 1)))
