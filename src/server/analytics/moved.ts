import { usualWeeks } from '../../core/analytics/same-hours.ts'
import type { DayOfFigures, RowFigures } from '../../contract/figures.ts'
import type { IsoDate } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import type { ReportRow } from '../../contract/reports/periodic.ts'
import { addDays, earlier } from '../../core/analytics/days.ts'
import { gapsIn } from '../../core/analytics/gaps.ts'
import { totalsOf } from '../../core/analytics/totals.ts'
import { type PeriodRow, periodRows } from '../facts/questions/period-rows.ts'
import type { CompleteProperty } from './requested-property.ts'
import { dayOf, isWithin } from './overview.ts'
import { answerKey, comparedOf, isStored, knownLoads, type AnalyticsParts } from './parts.ts'
import { dailyFigures } from '../facts/questions/daily-figures.ts'

/**
 * The pages or queries that gained and lost most clicks, largest change first. `isStored`: whether both periods are completely stored;
 * otherwise nothing is compared.
 */
export type Moved = { isStored: boolean; rising: ReportRow[]; falling: ReportRow[] }
type MovedQuestion = { of: 'page' | 'query'; current: Period; previous: Period; limit: number }

/** Data around a day. */
export type AroundDay = {
  /** The day and up to six complete days after it, and the same weekdays a week earlier. */
  after: Period
  before: Period
  /** The first stored day in that range; null if there is none. */
  storedFrom: IsoDate | null
  /** The days of both that aren't stored, oldest first. */
  gaps: Period[]
  days: DayOfFigures[]
  totals: RowFigures
  /** Null if not all days of both are stored. */
  beforeTotals: RowFigures | null
  /** The mean of the same weekday in preceding weeks; null if none is stored. */
  usual: RowFigures | null
}

const daysShown = { before: 14, after: 13 }

/** Finds what moved between two periods, and around a day. */
export function createMoved(parts: AnalyticsParts) {
  const { facts, cache } = parts
  return {
    between: (property: CompleteProperty, { of, current, previous, limit }: MovedQuestion): Promise<Moved> =>
      cache.get(answerKey('moved', property, of, current.start, current.end, previous.start, previous.end, limit), async () => {
        const loads = await knownLoads(parts, property, { grains: [of], spans: [current, previous] })
        if (![current, previous].every((period) => isStored(loads, of, period))) {
          return { isStored: false, rising: [], falling: [] }
        }
        const rows = await facts.ask(periodRows, { property: property.id, current, previous, loads, grain: of, limit })
        const first = (place: (row: PeriodRow) => number, isIn: (row: PeriodRow) => boolean): ReportRow[] =>
          rows
            .filter((row) => place(row) <= limit && isIn(row))
            .toSorted((a, b) => place(a) - place(b))
            .map((row) => ({ name: row.name, ...comparedOf(row, true) }))
        return {
          isStored: true,
          rising: first(
            ({ byRise }) => byRise,
            ({ clicks, beforeClicks }) => clicks > beforeClicks,
          ),
          falling: first(
            ({ byFall }) => byFall,
            ({ clicks, beforeClicks }) => clicks < beforeClicks,
          ),
        }
      }),

    /** @param date a complete day */
    around: (property: CompleteProperty, date: IsoDate): Promise<AroundDay> =>
      cache.get(answerKey('around', property, date), async () => {
        const after = { start: date, end: earlier(addDays(date, 6), property.completeThrough) }
        const before = { start: addDays(after.start, -7), end: addDays(after.end, -7) }
        const span = { start: addDays(date, -7 * usualWeeks), end: earlier(addDays(date, daysShown.after), property.completeThrough) }
        const [figures, loads] = await Promise.all([
          facts.ask(dailyFigures, { property: property.id, spans: [span] }),
          knownLoads(parts, property, { grains: ['total'], spans: [span] }),
        ])
        const stored = new Set(loads.map((load) => load.date))
        const weekdays = Array.from({ length: usualWeeks }, (_, week) => addDays(date, -7 * (week + 1))).filter((day) => stored.has(day))
        const gaps = [before, after].flatMap((period) => gapsIn(period, stored))
        const same = totalsOf(figures.filter((day) => weekdays.includes(day.date)))
        return {
          after,
          before,
          storedFrom: loads[0]?.date ?? null,
          gaps,
          days: figures.filter(isWithin({ start: addDays(date, -daysShown.before), end: span.end })).map(dayOf),
          totals: totalsOf(figures.filter(isWithin(after))),
          beforeTotals: gaps.length === 0 ? totalsOf(figures.filter(isWithin(before))) : null,
          usual:
            weekdays.length === 0
              ? null
              : { ...same, clicks: same.clicks / weekdays.length, impressions: same.impressions / weekdays.length },
        }
      }),
  }
}
