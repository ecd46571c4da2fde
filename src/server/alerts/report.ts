import { type AlertReport, mostReturned } from '../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../contract/common.ts'
import { addDays, dayNumber, daysBetween, earlier, eachDay, later, pacificDay } from '../../core/analytics/days.ts'
import { markupOf } from '../../core/alerting/copy.ts'
import { noSums, type Sums } from '../../core/alerting/figures.ts'
import type { HolidayCountries } from '../common/holiday-countries.ts'
import type { FactsStore } from '../facts/store.ts'
import { viewOf } from './alert-view.ts'
import type { AlertRow, AlertsStore } from './incidents/alerts-store.ts'
import { expectationOf } from './unusual/expectation.ts'
import { isOfTopQueries } from './unusual/rate-expectation.ts'
import { topQueries } from './unusual/rates.ts'
import type { Explain } from './why/explanations.ts'
import { dailyValues } from './daily-values.ts'
import { hoursDrawn } from './hours/hours-drawn.ts'
import { fromStored } from './names.ts'
import type { RuleScopes } from './rules/scopes.ts'
import { entityGrain } from './tasks.ts'
import { type EntityDays, entityDays } from '../facts/questions/entity-days.ts'
import { storedDays } from '../facts/stored-days.ts'

/** Days shown before the evaluated week, and after it as far as they are stored. */
const daysBefore = 49
const daysAfter = 28
/** An open alert is evaluated on ever later weeks; its opening is shown if it is at most this far before the latest. */
const daysBeforeAtMost = 182

export type ReportDeps = {
  store: AlertsStore
  scopes: RuleScopes
  facts: FactsStore
  countries: HolidayCountries
  explain: Explain
  /** The latest messages about an alert, newest first, from delivery. */
  deliveries: (alertId: string, limit: number) => Promise<AlertReport['deliveries']>
}

type DrawnSeries = Pick<AlertReport, 'series' | 'previousSeries'>

/** Assembles the full report of one alert. */
export function createReport({ store, scopes, facts, countries, explain, deliveries }: ReportDeps) {
  async function drawn(row: AlertRow, through: IsoDate | null): Promise<DrawnSeries> {
    const { figures, entityKind, propertyId } = row
    if (!figures || entityKind === 'connection') return { series: [], previousSeries: [] }
    const { current, base } = figures.windows
    const start = firstDay(row, current.start)
    const span = { start, end: addDays(current.end, daysAfter) }
    // Both windows in one series, or two on top of each other: on a line that covers a year, a week would be too narrow to see.
    const shift = base.start < start ? dayNumber(current.start) - dayNumber(base.start) : null
    const before = shift === null ? null : { start: addDays(span.start, -shift), end: addDays(span.end, -shift) }

    const within = await scopes.ofAlert(row)
    const names = isOfTopQueries(row)
      ? (await topQueries(facts, [propertyId], current.end, within ?? undefined)).map(({ name }) => name)
      : [fromStored(row.entityName)]
    const grain = isOfTopQueries(row) ? 'query' : entityGrain(entityKind)
    const named = names.map((name) => ({ property: propertyId, name }))
    const ask = async (asked: typeof span | null) => {
      if (!asked) return []
      const found = await facts.ask(entityDays, { grain, properties: [propertyId], span: asked, pick: { by: 'names', named }, within })
      const values = dailyValues(row.type, together(found), daysBetween(asked.start, asked.end))
      return eachDay(asked.start, asked.end).map((date, index) => ({ date, value: values[index] ?? null }))
    }
    const [days, daysOfBefore, [stored]] = await Promise.all([
      ask(span),
      ask(before),
      facts.ask(storedDays, {
        type: row.searchType,
        grains: [within?.grain ?? grain],
        properties: [propertyId],
        spans: before ? [span, before] : [span],
      }),
    ])
    const known = new Set(stored?.dates)
    const pointOf = ({ date, value }: (typeof days)[number]) => ({
      date,
      value: known.has(date) ? value : null,
      complete: known.has(date) && through !== null && date <= through,
    })
    const end = lastDay(row, current.end, known)
    const firstCompared = shift === null ? base.start : current.start
    const isOfNothing = ({ date }: { date: IsoDate }, index: number) =>
      date < firstCompared && !known.has(date) && !known.has(daysOfBefore[index]?.date ?? '')
    // With a short history, the days before it would leave half of the chart empty.
    const skipped = days.findIndex((day, index) => !isOfNothing(day, index))
    const series = days.slice(skipped).filter(({ date }) => date <= end)
    const previousSeries = daysOfBefore.slice(skipped, skipped + series.length)
    return { series: series.map(pointOf), previousSeries: previousSeries.map(pointOf) }
  }

  return async (row: AlertRow): Promise<AlertReport> => {
    const { completeThrough, contributors, breakdown, rateBreakdown, why, coincidences } = await explain(row, 'owner')
    const [lines, byHour, rules, timeline, sent] = await Promise.all([
      drawn(row, completeThrough),
      hoursDrawn(facts, row),
      store.rulesOf(row),
      store.timeline(row.id, mostReturned + 1),
      deliveries(String(row.id), mostReturned + 1),
    ])
    const [firstDrawn, lastDrawn] = [lines.series[0], lines.series.at(-1)]
    const expectation =
      firstDrawn && lastDrawn
        ? await expectationOf({ facts, countries }, row, { from: firstDrawn.date, end: lastDrawn.date }, await scopes.ofAlert(row))
        : null
    return {
      ...viewOf(row),
      ...(row.partOf !== null && { partOf: String(row.partOf) }),
      rules,
      ...lines,
      ...byHour,
      viewedAt: row.viewedAt?.toISOString() ?? null,
      ...(expectation && { expectation, ...(row.hours === null && { firstDay: expectation.firstDay }) }),
      ...(breakdown && { breakdown }),
      ...(rateBreakdown && { rateBreakdown }),
      ...(why && { why: markupOf(why) }),
      ...(coincidences.length > 0 && { coincidences }),
      contributors,
      timeline: oldestFirst(timeline).map(({ at, fromState, toState, reason, detail, by }) => ({
        at: at.toISOString(),
        from: fromState,
        to: toState,
        reason,
        ...(detail !== null && { detail }),
        by,
      })),
      ...(timeline.length > mostReturned && { timelineCut: true }),
      deliveries: oldestFirst(sent),
      ...(sent.length > mostReturned && { deliveriesCut: true }),
    }
  }
}

/** The sums of several rows, day by day. */
function together(rows: readonly EntityDays[]): EntityDays | undefined {
  const [first, ...others] = rows
  if (!first || others.length === 0) return first
  const days = new Map<number, Sums>()
  for (const row of rows)
    for (const [i, day] of row.day.entries()) {
      const sums = days.get(day) ?? { ...noSums }
      sums.clicks += row.clicks[i] ?? 0
      sums.impressions += row.impressions[i] ?? 0
      sums.positionSum += row.positionSum[i] ?? 0
      sums.rankedImpressions += row.rankedImpressions[i] ?? 0
      days.set(day, sums)
    }
  const all = [...days.values()]
  return {
    ...first,
    day: [...days.keys()],
    clicks: all.map(({ clicks }) => clicks),
    impressions: all.map(({ impressions }) => impressions),
    positionSum: all.map(({ positionSum }) => positionSum),
    rankedImpressions: all.map(({ rankedImpressions }) => rankedImpressions),
  }
}

const oldestFirst = <T>(newest: readonly T[]): T[] => newest.slice(0, mostReturned).toReversed()

/** Some weeks before the evaluated one, and before the one that opened it. */
function firstDay({ opening }: AlertRow, currentStart: IsoDate): IsoDate {
  const opened = addDays(opening?.windows.current.start ?? currentStart, -2 * 7)
  return later(earlier(addDays(currentStart, -daysBefore), opened), addDays(currentStart, -daysBeforeAtMost))
}

/** The last stored day, including the days it opened and ended, but not long after the evaluated week. */
function lastDay({ openedAt, recoveredAt }: AlertRow, currentEnd: IsoDate, known: ReadonlySet<IsoDate>): IsoDate {
  const lived = [openedAt, ...(recoveredAt ? [recoveredAt] : [])].map(pacificDay)
  const within = [...known, ...lived].filter((day) => day <= addDays(currentEnd, daysAfter))
  return within.reduce(later, currentEnd)
}
