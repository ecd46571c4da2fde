import { createHash } from 'node:crypto'
import { hasPosition } from '../../../contract/common.ts'
import {
  type ChangesQuery,
  type Explored,
  type ExploredChanges,
  type ExploreFileQuery,
  type ExploreQuery,
  type ExploreRow,
  type Filter,
  type Grouping,
} from '../../../contract/explore/explore.ts'
import type { AskedPeriod, SortOrder } from '../../../contract/analytics.ts'
import type { Counts } from '../../../contract/figures.ts'
import type { History } from '../../../contract/history.ts'
import type { Period } from '../../../contract/metrics.ts'
import { addDays, daysBetween } from '../../../core/analytics/days.ts'
import { grainOfExploration, noPositions } from '../../../core/analytics/exploration.ts'
import { daysWithin, historyPeriods, type StoredDays } from '../../../core/analytics/history.ts'
import { partsOf } from '../../../core/analytics/periods.ts'
import { isWhole } from '../../../core/analytics/report-periods.ts'
import { totalsOf } from '../../../core/analytics/totals.ts'
import type { ReportProperty } from '../../accounts/service.ts'
import { Refusal } from '../../common/errors.ts'
import {
  exploredDays,
  exploredList,
  exploredRows,
  exploredTrends,
  type Exploration,
  type RowsQuestion,
} from '../../facts/questions/explored.ts'
import { cutOffDays, type StoredLoad } from '../../facts/stored-loads.ts'
import { type CompleteProperty, isComplete } from '../requested-property.ts'
import { figureCells, figureHeader, reportFile, yesNo } from '../files.ts'
import type { CsvFile } from '../../common/send-file.ts'
import { storedDaysOf } from '../history.ts'
import { answerKey, type AnalyticsParts, comparedOf, isCompared, isStored, knownLoads, totalsOn } from '../parts.ts'
import { dateHistory, dateRows } from './dates.ts'
import type { WithFilters } from './saved.ts'
import { checkFilters, refuseSlow } from './filters.ts'
import { inBlocks } from './in-blocks.ts'
import { byShownName, type Listed, noRows } from './listed.ts'

/** How many rows are read and cached at once, since every question aggregates and sorts all of them. */
const blockRows = 1_000

/** How many rows have a trend, and how many points one has at most. */
const mostTrends = 20
const mostTrendParts = 60

type HistoryQuery = Omit<ExploreFileQuery, 'by' | 'sort' | 'order'>

/** A resolved question: the data and days that answer it. */
type Plan = {
  exploration: Exploration
  known: StoredDays
  compared: Period | null
  /** The loads of the current period. */
  loads: readonly StoredLoad[]
  /** The cache key of its answers. */
  key: (string | number | undefined)[]
}

/** Clicks over time, in the order of the rows, of equally long parts of these days; null for a part that isn't completely stored. */
export type Trends = { days: Period; of: (number | null)[][] }

const hashOf = (names: readonly string[]): string => createHash('sha256').update(JSON.stringify(names)).digest('base64url')

/** A property's stored data by any of its dimensions, filtered and sorted. */
export function createExplore(parts: AnalyticsParts) {
  const { facts, cache } = parts

  /** Null if nothing of the search type is stored. @throws Refusal 400 if no stored data answers the question */
  async function planOf(property: CompleteProperty, query: ExploreFileQuery): Promise<Plan | null> {
    const { type, by, where, sort } = query
    const found = grainOfExploration({ by, type, where })
    if ('problem' in found) throw new Refusal(400, found.problem, where.length > 0 ? 'where' : 'by')
    if (!hasPosition(type) && (sort === 'position' || sort === 'positionChange')) throw new Refusal(400, noPositions(type), 'sort')
    const { brandTerms, brandVersion } = await checkFilters(parts, property, where)

    const known = await storedDaysOf(parts, property, type)
    if (known === null) return null
    const { grain } = found
    const { period, isWithin, compared: before } = historyPeriods(known, query)
    const spans = before ? [period, before] : [period]
    const loads = isWithin ? await knownLoads(parts, property, { searchType: type, grains: [grain], spans }) : []
    const compared = before && isStored(loads, grain, period) && isStored(loads, grain, before) ? before : null
    return {
      exploration: { property: property.id, searchType: type, grain, loads, current: period, previous: compared, where, brandTerms },
      known,
      compared,
      loads: loads.filter(({ date }) => date >= period.start && date <= period.end),
      key: [type, by, period.start, period.end, compared?.start, compared?.end, JSON.stringify(where), brandVersion],
    }
  }

  const rowOf =
    (compared: boolean, by: ExploreFileQuery['by']) =>
    (row: Awaited<ReturnType<typeof exploredRows>>[number]): ExploreRow => ({
      name: row.name,
      ...(by === 'query_page' && { page: row.page }),
      ...comparedOf(row, compared),
    })

  /** The filtered days of both periods. */
  async function daysOf(property: CompleteProperty, { exploration, known, key }: Plan): Promise<StoredDays> {
    const { grain, loads } = exploration
    const ask = () => (loads.length === 0 ? Promise.resolve([]) : facts.ask(exploredDays, exploration).catch(refuseSlow))
    const days = grain === 'total' ? known.days : await cache.get(answerKey('explored days', property, ...key), ask)
    return { ...known, days, stored: new Set(loads.map(({ date }) => date)) }
  }

  /** Rows of any grouping, one part at a time, with the totals of all rows. */
  async function listOf(
    property: CompleteProperty,
    { by, grain, compare, range, sort, order }: ExploreFileQuery,
    plan: Plan,
  ): Promise<Listed> {
    const { exploration, compared } = plan
    if (by === 'date')
      return dateRows(await daysOf(property, plan), { grain, compare, range, sort, order, compared, where: exploration.where })
    const question: RowsQuestion = { ...exploration, by, sort, order }
    if (exploration.loads.length === 0) return noRows
    const toRow = rowOf(compared !== null, by)
    const list: Listed = {
      first: async (limit) => {
        const { rows, totals } = await facts.ask(exploredList, question, limit).catch(refuseSlow)
        return { rows: rows.map(toRow), count: totals.count, totals: { ...totals.current, previous: compared && totals.before } }
      },
      rows: async (part) => (await facts.ask(exploredRows, question, part).catch(refuseSlow)).map(toRow),
    }
    return sort === 'name' ? byShownName(list, by, order) : list
  }

  /** The clicks over time of the first rows, and the days they cover; null if there are none for such rows. */
  async function trendsOf(
    property: CompleteProperty,
    by: Grouping,
    { exploration, key }: Plan,
    all: readonly string[],
  ): Promise<Trends | null> {
    const { current, previous, loads } = exploration
    if (by === 'folder' || by === 'query_page' || by === 'date' || loads.length === 0) return null
    const isLeadingUp = previous !== null && addDays(previous.end, 1) === current.start
    const days = { start: isLeadingUp ? previous.start : current.start, end: current.end }
    const names = all.slice(0, mostTrends)
    const stretches = partsOf(days, mostTrendParts)
    const [first = days] = stretches
    const of = await cache.get(answerKey('explored trends', property, ...key, hashOf(names)), async () => {
      const question = { ...exploration, current: days, previous: null, by, names, partDays: daysBetween(first.start, first.end) }
      const found = await facts.ask(exploredTrends, question).catch(refuseSlow)
      const clicks = new Map(found.map((each) => [each.name, new Map(each.part.map((part, at) => [part, each.clicks[at] ?? 0]))]))
      const stored = new Set(loads.map(({ date }) => date))
      const known = stretches.map((part) => isWhole(part, stored))
      return names.map((name) => known.map((isKnown, at) => (isKnown ? (clicks.get(name)?.get(stretches.length - 1 - at) ?? 0) : null)))
    })
    return { of, days: { start: first.start, end: days.end } }
  }

  return {
    /** Null if nothing of the search type is stored. @throws Refusal 400 if no stored data answers the question */
    async read(property: CompleteProperty, query: ExploreQuery): Promise<Explored | null> {
      const plan = await planOf(property, query)
      if (plan === null) return null
      const { exploration, known, compared, loads, key } = plan
      const { grain, current } = exploration
      const list = await listOf(property, query, plan)
      const { offset, limit, sort, order } = query
      const kept = <T>(block: number, ask: () => Promise<T>) =>
        cache.get(answerKey('explored', property, ...key, query.grain, sort, order, block), ask)
      const first = kept(0, () => list.first(blockRows))
      const rowsOf = async (block: number) =>
        block === 0 ? (await first).rows : kept(block, () => list.rows({ limit: blockRows, offset: block * blockRows }))
      const [from, to] = [Math.floor(offset / blockRows), Math.floor((offset + limit - 1) / blockRows)]
      const blocks = Array.from({ length: to - from + 1 }, (_, i) => rowsOf(from + i))
      const [{ count, totals }, ...found] = await Promise.all([first, ...blocks])
      const skipped = offset % blockRows
      const rows = found.flat().slice(skipped, skipped + limit)
      const trends =
        query.trend === undefined
          ? null
          : await trendsOf(
              property,
              query.by,
              plan,
              rows.map(({ name }) => name),
            )
      const days = daysWithin(known.days, current)
      const propertyTotals = { ...totalsOf(days), previous: compared && totalsOf(daysWithin(known.days, compared)) }
      return {
        property: property.name,
        period: current,
        compared,
        firstDay: known.firstDay,
        completeThrough: known.completeThrough,
        count,
        rows: trends === null ? rows : rows.map((row, at) => (trends.of[at] === undefined ? row : { ...row, trend: trends.of[at] })),
        ...(trends !== null && { trendDays: trends.days }),
        totals: query.by === 'search_appearance' ? propertyTotals : totals,
        propertyTotals,
        hidden: grain === 'query' || grain === 'query_page' ? hiddenOf(totalsOn(days, loads, grain), loads) : null,
        cutOffDays: cutOffDays(loads, grain),
        missingDays: daysBetween(current.start, current.end) - loads.length,
      }
    },

    /** Null if nothing of the search type is stored. @throws Refusal 400 as `read` */
    async history(property: CompleteProperty, query: HistoryQuery): Promise<History | null> {
      const plan = await planOf(property, { ...query, by: 'date', sort: 'name', order: 'asc' })
      if (plan === null) return null
      return dateHistory(property.name, await daysOf(property, plan), { ...query, compared: plan.compared })
    },

    /** Both lists and their trends in one answer. Null if nothing of the search type is stored. @throws Refusal 400 as `read` */
    async changes(property: CompleteProperty, { limit, ...asked }: WithFilters<ChangesQuery>): Promise<ExploredChanges | null> {
      const query = { ...asked, where: [...(asked.where ?? [])], grain: 'day' as const, sort: 'clicksChange' as const }
      const plan = await planOf(property, { ...query, order: 'desc' })
      if (plan === null) return null
      const { exploration, compared, key } = plan
      const first = async (order: SortOrder): Promise<ExploreRow[]> => {
        if (compared === null) return []
        const list = await listOf(property, { ...query, order }, plan)
        return cache.get(answerKey('explored changes', property, ...key, order, limit), () => list.rows({ limit, offset: 0 }))
      }
      const [most, least] = await Promise.all([first('desc'), first('asc')])
      const gain = ({ clicks, previous }: ExploreRow) => clicks - (previous?.clicks ?? 0)
      const lists = { gained: most.filter((row) => gain(row) > 0), lost: least.filter((row) => gain(row) < 0) }
      const names = [...lists.gained, ...lists.lost].map(({ name }) => name)
      const trends = names.length === 0 ? null : await trendsOf(property, query.by, plan, names)
      const trendOf = (row: ExploreRow) => ({ ...row, trend: trends?.of[names.indexOf(row.name)] })
      return {
        period: exploration.current,
        compared,
        gained: lists.gained.map(trendOf),
        lost: lists.lost.map(trendOf),
        trendDays: trends?.days,
      }
    },

    /** The clicks over time of the first of these pages, filtered; null if none of their days is stored. */
    async trends(property: CompleteProperty, { range, days, compare }: AskedPeriod, where: readonly Filter[], pages: readonly string[]) {
      const by = 'page'
      const asked = { range: range ?? (`${days}d` as const), compare, grain: 'day' } as const
      const plan = await planOf(property, { ...asked, type: 'web', by, where: [...where], sort: 'clicks', order: 'desc' })
      return plan && trendsOf(property, by, plan, pages)
    },

    /** All rows, filtered and sorted. @throws Refusal 400 if no stored data answers the question */
    async file(property: ReportProperty, query: ExploreFileQuery): Promise<CsvFile> {
      const complete = isComplete(property) ? property : null
      const plan = complete && (await planOf(complete, query))
      const list = complete && plan ? await listOf(complete, query, plan) : noRows
      const isWithBefore = isCompared(query.compare)
      const { by, grain } = query
      const hasEnd = by === 'date' && grain !== 'day'
      const names = by === 'query_page' ? ['query', 'page'] : hasEnd ? [grain, 'to', 'complete'] : [by === 'date' ? grain : by]
      return reportFile<ExploreRow>(
        { property: property.name, report: `explore-${query.by.replace('_', '-')}`, period: plan?.exploration.current ?? null },
        [...names, ...figureHeader(isWithBefore)],
        (row) => [[...namesOf(row, hasEnd), ...figureCells(row, isWithBefore)]],
        inBlocks(list.rows),
      )
    },
  }
}

/** A row's subject in a file; a week or month with its last day, and whether it is complete. */
const namesOf = ({ name, page, end = name, complete }: ExploreRow, hasEnd: boolean): string[] =>
  page !== undefined ? [name, page] : hasEnd ? [name, end, yesNo(complete !== false)] : [name]

/** What the property had, on days stored by query, beyond all listed queries. */
function hiddenOf(totals: Counts, loads: readonly StoredLoad[]): NonNullable<Explored['hidden']> {
  const sum = (figure: 'clicks' | 'impressions') => loads.reduce((total, load) => total + load[figure], 0)
  // By page, Google counts an impression for each page that was shown.
  const rest = (figure: 'clicks' | 'impressions') => Math.max(0, totals[figure] - sum(figure))
  return { clicks: rest('clicks'), impressions: rest('impressions'), totals }
}
