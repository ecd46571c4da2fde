import type { ComparedFigures, DayOfFigures, RowFigures } from '../../contract/figures.ts'
import type { Filter } from '../../contract/explore/explore.ts'
import type { Period } from '../../contract/metrics.ts'
import type { PeriodicReport, ReportKind, ReportRow } from '../../contract/reports/periodic.ts'
import { completePeriods, periodBefore, periodLastYear } from '../../core/analytics/report-periods.ts'
import { boundProblem } from '../../core/analytics/exploration.ts'
import { totalsOf } from '../../core/analytics/totals.ts'
import { Refusal } from '../common/errors.ts'
import type { Within } from '../facts/filter-sql.ts'
import { type PeriodRow, periodRows } from '../facts/questions/period-rows.ts'
import { scoredDays, type StoredLoad, storedLoads } from '../facts/stored-loads.ts'
import type { CompleteProperty } from './requested-property.ts'
import { createWithin, refuseSlowSegment } from './explore/filters.ts'
import { dayOf, isWithin } from './overview.ts'
import { answerKey, curveOf, isStored, knownOf, type AnalyticsParts } from './parts.ts'
import { dailyFigures } from '../facts/questions/daily-figures.ts'
import { wholeAmong } from '../facts/stored-days.ts'
import { periodOpportunities } from '../facts/questions/period-opportunities.ts'

/** Rows per list in a report. */
const rowsOfList = 10
/** Earlier than any day that can be stored. */
const firstDay = '1970-01-01'

export type PeriodList = PeriodicReport['pages'] & { rising: ReportRow[]; falling: ReportRow[] }
export type PeriodFigures = {
  previous: Period
  lastYear: Period
  totals: RowFigures
  previousTotals: RowFigures | null
  lastYearTotals: RowFigures | null
  days: DayOfFigures[]
  previousDays: DayOfFigures[]
  pages: PeriodList
  keywords: PeriodList
}
type Opportunities = NonNullable<PeriodicReport['advanced']>['opportunities']

/** Weekly and monthly data, equal to that of the screens for the same days and grain. */
export function createPeriodicFigures(parts: AnalyticsParts) {
  const { facts, brands, cache } = parts
  const within = createWithin(parts)

  /** What a segment leaves of the totals, pages and keywords. @throws Refusal 400 if no stored data answers it */
  async function withinsOf(property: CompleteProperty, where: readonly Filter[]): Promise<Withins | null> {
    if (where.length === 0) return null
    const problem = boundProblem('Reports', where)
    if (problem !== null) throw new Refusal(400, problem, 'segment')
    const [total, page, query] = await Promise.all((['date', 'page', 'query'] as const).map((by) => within(property, by, where)))
    return total && page && query ? { total, page, query } : null
  }

  async function listOf(
    grain: 'page' | 'query',
    property: number,
    spans: Spans,
    { loads, known }: Loads,
    of: Within | undefined,
  ): Promise<PeriodList> {
    const source = of?.grain ?? grain
    // A missing day on either side would look like a rise or a fall.
    const stored = isStored(loads, source, spans.current)
    const compared = stored && isStored(known, source, spans.previous)
    const about = { property, current: spans.current, previous: compared ? spans.previous : null, loads }
    const rows = await facts.ask(periodRows, { ...about, grain, limit: rowsOfList, within: of })
    const first = (place: (row: PeriodRow) => number, isIn: (row: PeriodRow) => boolean): ReportRow[] =>
      rows
        .filter((row) => place(row) <= rowsOfList && isIn(row))
        .toSorted((a, b) => place(a) - place(b))
        .map((row) => rowOf(row, compared))
    return {
      stored,
      compared,
      count: rows[0]?.shown ?? 0,
      top: first(
        ({ byClicks }) => byClicks,
        ({ impressions }) => impressions > 0,
      ),
      rising: compared
        ? first(
            ({ byRise }) => byRise,
            ({ clicks, beforeClicks }) => clicks > beforeClicks,
          )
        : [],
      falling: compared
        ? first(
            ({ byFall }) => byFall,
            ({ clicks, beforeClicks }) => clicks < beforeClicks,
          )
        : [],
    }
  }

  /** The completely stored weeks or months that don't end before the first data. */
  const completeOf = (property: CompleteProperty, kind: ReportKind): Promise<Period[]> =>
    cache.get(answerKey('report periods', property, kind), async () => {
      const span = { start: firstDay, end: property.completeThrough }
      const loads = await facts.ask(storedLoads, { property: property.id, grains: ['total'], spans: [span] })
      const days = loads.map(({ date }) => date)
      const all = completePeriods(kind, days, property.completeThrough)
      // Google also answers days before a site existed. For a site without impressions, that is all there is.
      const first = loads.find(({ rows }) => rows > 0)?.date ?? firstDay
      return all.filter(({ end }) => end >= first)
    })

  return {
    /** The weeks or months that can be reported on, latest first. */
    periods: completeOf,

    /** The properties for which this period is final: complete, or entirely before the first data. One question for all of them. */
    completeAmong: (properties: readonly CompleteProperty[], { start, end }: Period): Promise<Set<number>> => {
      const reached = properties.filter(({ completeThrough }) => completeThrough >= end).map(({ id }) => id)
      return facts.ask(wholeAmong, reached, { start, end })
    },

    /**
     * @param current one of `periods`
     * @param where a segment's filters, or none
     * @throws Refusal 400 if no stored data answers those, 404 if the days aren't stored in what does
     */
    async figures(property: CompleteProperty, kind: ReportKind, current: Period, where: readonly Filter[]): Promise<PeriodFigures> {
      const of = await withinsOf(property, where)
      return cache.get(answerKey('report', property, kind, current.start, of ? JSON.stringify(of) : undefined), async () => {
        const spans = { current, previous: periodBefore(kind, current) }
        const lastYear = periodLastYear(kind, current)
        const all = [current, spans.previous, lastYear]
        const sums = of?.total.grain ?? 'total'
        const sources = [...new Set([sums, of?.page.grain ?? 'page', of?.query.grain ?? 'query'])]
        const loads = await facts.ask(storedLoads, { property: property.id, grains: sources, spans: all })
        const known = await knownOf(parts, property, loads)
        if (of && !isStored(loads, sums, current)) throw new Refusal(404, notStored, 'segment')
        const [figures, pages, keywords] = await Promise.all([
          facts.ask(dailyFigures, { property: property.id, spans: all, within: of?.total }),
          listOf('page', property.id, spans, { loads, known }, of?.page),
          listOf('query', property.id, spans, { loads, known }, of?.query),
        ]).catch(refuseSlowSegment)
        const daysOf = (period: Period) => figures.filter(isWithin(period))
        const comparedDays = (period: Period) => (isStored(known, sums, period) ? daysOf(period) : null)
        const [before, yearBefore] = [comparedDays(spans.previous), comparedDays(lastYear)]
        return {
          previous: spans.previous,
          lastYear,
          totals: totalsOf(daysOf(current)),
          previousTotals: before && totalsOf(before),
          lastYearTotals: yearBefore && totalsOf(yearBefore),
          days: daysOf(current).map(dayOf),
          previousDays: (before ?? []).map(dayOf),
          pages,
          keywords,
        }
      })
    },

    /** A period's keywords with the highest opportunity score (docs/opportunity-score.md). */
    async opportunities(property: CompleteProperty, kind: ReportKind, current: Period, where: readonly Filter[]): Promise<Opportunities> {
      const brand = await brands.of(property)
      const of = (await withinsOf(property, where))?.query
      const about = [kind, current.start, brand.version, of ? JSON.stringify(of) : undefined]
      return cache.get(answerKey('opportunities of a report', property, ...about), async () => {
        const previous = periodBefore(kind, current)
        const question = { property: property.id, grains: ['query', 'query_page'], spans: [current, previous] } as const
        const [loads, curve] = await Promise.all([facts.ask(storedLoads, question), curveOf(parts, property, brand)])
        const scoring = { curve, days: scoredDays(loads.filter(isWithin(current)), of?.grain ?? 'query') }
        const asked = { property: property.id, current, previous, loads, scoring, limit: rowsOfList, within: of }
        const rows = await facts.ask(periodOpportunities, asked).catch(refuseSlowSegment)
        return rows.map(({ query, page, position, score }) => ({ query, page, position, opportunityScore: score }))
      })
    },
  }
}

type Withins = Record<'total' | 'page' | 'query', Within>
const notStored = 'This segment needs data by page and keyword, which is missing for some days of this period. Choose another period.'

type Spans = { current: Period; previous: Period }
/** The stored days, and those of them that say something. */
type Loads = { loads: readonly StoredLoad[]; known: readonly StoredLoad[] }

/** With the figures of the period before, which are 0 for something not shown then. */
function rowOf(row: PeriodRow, compared: boolean): ReportRow {
  const { name, clicks, impressions, ctr, position } = row
  const previous: ComparedFigures['previous'] = {
    clicks: row.beforeClicks,
    impressions: row.beforeImpressions,
    ctr: row.beforeCtr,
    position: row.beforePosition,
  }
  return { name, clicks, impressions, ctr, position, previous: compared ? previous : null }
}
