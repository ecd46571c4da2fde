import { hasPosition } from '../../../src/contract/common.ts'
import type { RowFigures } from '../../../src/contract/figures.ts'
import { type Explored, type ExploredChanges, exploreEndpoints, type ExploreRow } from '../../../src/contract/explore/explore.ts'
import { grainOfExploration } from '../../../src/core/analytics/exploration.ts'
import { historyPeriods } from '../../../src/core/analytics/history.ts'
import { addDays, eachDay } from '../../../src/core/analytics/days.ts'
import { Refusal } from '../../../src/server/common/errors.ts'
import { figuresOf } from './analytics.ts'
import { historyFrom } from './history.ts'
import { completeThrough, shop } from './usual.ts'

const days = 487
/** The number of rows by query. */
export const exploredQueries = 1_680

/** The server's answer for the default property: fewer clicks with each row, and a fifth less in the previous period. */
export function exploredFrom(query: URLSearchParams, count = exploredQueries): Explored {
  const asked = exploreEndpoints.read.query.parse(Object.fromEntries(query))
  const { by, type, where, offset, limit, range, compare, sort, order } = asked
  const found = grainOfExploration({ by, type, where })
  if ('problem' in found) throw new Refusal(400, found.problem, 'where')
  const firstDay = addDays(completeThrough, 1 - days)
  const known = { stored: new Set(eachDay(firstDay, completeThrough)), firstDay, completeThrough }
  const { period, compared } = historyPeriods(known, { range, compare })
  const figures = (clicks: number, impressions: number, position: number): RowFigures =>
    figuresOf(clicks, impressions, hasPosition(type) ? position : 0)
  const rowAt = (index: number): ExploreRow => ({
    name: nameAt(by, index),
    ...(by === 'query_page' && { page: `https://lumenandloom.example/lamps/${index}` }),
    ...figures(2_000 - index, 40_000 - index * 10, 2 + index / 100),
    // The last one is new.
    previous: compared && index < count - 1 ? figures(Math.round((2_000 - index) * 0.8), 38_000 - index * 10, 2.5 + index / 100) : null,
  })
  const all = by === 'date' ? dateRows(query, sort, order) : Array.from({ length: sizes[by] ?? count }, (_, index) => rowAt(index))
  const rows = sort === 'clicks' && order === 'asc' && by !== 'date' ? all.toReversed() : all
  const total = (value: (row: RowFigures) => number) => all.reduce((sum, row) => sum + value(row), 0)
  const propertyTotals = { ...figures(2_500_000, 80_000_000, 8.2), previous: compared && figures(2_100_000, 76_000_000, 8.8) }
  const sums = {
    ...figures(
      total((row) => row.clicks),
      total((row) => row.impressions),
      8.4,
    ),
    previous:
      compared &&
      figures(
        total((row) => row.clicks * 0.8),
        total((row) => row.impressions * 0.95),
        9.1,
      ),
  }
  return {
    property: shop,
    period,
    compared,
    firstDay,
    completeThrough,
    count: all.length,
    rows: rows
      .slice(offset, offset + limit)
      .map((row, at) =>
        asked.trend === undefined || at >= mostTrends ? row : { ...row, trend: [row.clicks / 2, null, row.clicks * 0.75, row.clicks] },
      ),
    ...(asked.trend !== undefined && { trendDays: period }),
    totals: by === 'search_appearance' ? propertyTotals : sums,
    propertyTotals,
    hidden:
      found.grain === 'query' || found.grain === 'query_page' ? { clicks: 550_000, impressions: 30_000_000, totals: propertyTotals } : null,
    cutOffDays: 0,
    missingDays: 0,
  }
}

/** The server's answer to which rows changed the most, for such rows. */
export function changesFrom(query: URLSearchParams, rows: readonly ExploreRow[]): ExploredChanges {
  const { limit } = exploreEndpoints.changes.query.parse(Object.fromEntries(query))
  const { period, compared } = exploredFrom(new URLSearchParams([...query].filter(([name]) => name !== 'limit' && name !== 'segment')))
  const gain = ({ clicks, previous }: ExploreRow) => clicks - (previous?.clicks ?? 0)
  const shown = rows.map((row) => ({ ...row, trend: [row.previous?.clicks ?? 0, null, row.clicks] }))
  const sorted = shown.toSorted((a, b) => gain(b) - gain(a))
  return {
    period,
    compared,
    gained: sorted.filter((row) => gain(row) > 0).slice(0, limit),
    lost: sorted
      .toReversed()
      .filter((row) => gain(row) < 0)
      .slice(0, limit),
    trendDays: period,
  }
}

/** Rows per answer with a trend. */
const mostTrends = 20

const sizes: Partial<Record<string, number>> = { country: 40, device: 3, folder: 12, search_appearance: 3 }

function nameAt(by: string, index: number): string {
  if (by === 'device') return ['MOBILE', 'DESKTOP', 'TABLET'][index] ?? ''
  if (by === 'search_appearance') return ['PRODUCT_SNIPPETS', 'VIDEO', 'SOMETHING_NEW'][index] ?? ''
  if (by === 'country') return ['usa', 'gbr', 'can', 'deu', 'fra', 'nld', 'swe', 'dnk', 'esp', 'ita'][index % 10] ?? ''
  if (by === 'page') return `https://lumenandloom.example/lamps/table-lamps/oak-table-lamp-number-${index}`
  if (by === 'folder') return `https://lumenandloom.example/${index === 0 ? '' : `folder-${index}/`}`
  return `oak table lamp ${index}`
}

function dateRows(query: URLSearchParams, sort: string, order: string): ExploreRow[] {
  const asked = new URLSearchParams([...query].filter(([name]) => ['range', 'compare', 'grain'].includes(name)))
  const { points, previousPoints } = historyFrom(asked, { property: shop, completeThrough, days })
  const none = figuresOf(0, 0, 0)
  const rows = points.map(({ start, end, complete, figures }, at) => ({
    name: start,
    end,
    complete,
    ...(figures ?? none),
    previous: previousPoints[at]?.figures ?? null,
  }))
  return sort === 'name' && order === 'desc' ? rows.toReversed() : rows
}
