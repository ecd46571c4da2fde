import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askSettled } from '../ask-settled.ts'
import { andWithin, type Within, withinParams } from '../filter-sql.ts'
import { onCurrentDaysOf, type Span, withinSpans } from '../current.ts'
import { tableOf } from '../schema.ts'
import { asText } from '../question.ts'

/** What distinguishes entities: nothing (the whole property), pages, or queries. */
export type EntityGrain = 'total' | 'page' | 'query'

/** Which pages or queries of each property to return, in addition to the named ones. */
export type Pick =
  | { by: 'names' }
  /** The most clicks in a span: by clicks, then impressions, then name. */
  | { by: 'top'; span: Span; count: number }
  /** At least this many impressions in a span, with a mean position no further down than this. */
  | { by: 'ranked'; span: Span; position: number; impressions: number }

export type NamedEntity = { property: number; name: string }

export type FiguresQuestion = {
  grain: EntityGrain
  properties: readonly number[]
  /** The windows to sum; each entity's sums are in this order. */
  windows: readonly Span[]
  pick: Pick
  named: readonly NamedEntity[]
  /** Only what a segment has of them, or a search type other than web. */
  within?: Within | null | undefined
}

/** Sums over the requested windows, in their order. */
export const figuresRow = z.object({
  property: z.number(),
  name: z.string(),
  clicks: z.array(z.number()),
  impressions: z.array(z.number()),
  positionSum: z.array(z.number()),
  /** Impressions with a known position. */
  rankedImpressions: z.array(z.number()),
})
export type EntityFiguresRow = z.infer<typeof figuresRow>

/** Up to 50,000 entities in a dozen windows, mostly numbers. */
const mostBytes = 32 * 1024 ** 2

/** The column of facts `f` that tells entities apart. */
export const keyOf = (grain: EntityGrain): string => (grain === 'total' ? `''` : `f.${grain}`)

const summed = (value: string): string => `sumForEach(arrayMap((s, e) -> if(f.date BETWEEN s AND e, ${value}, 0), starts, ends))`

/** The columns of `figuresRow` after its name, for facts `f` over the windows `starts` and `ends`. */
export const sumsOverWindows = `${summed('toUInt64(f.clicks)')} AS clicks, ${summed('toUInt64(f.impressions)')} AS impressions,
      ${summed('f.position_sum')} AS positionSum, ${summed('if(f.position_sum > 0, toUInt64(f.impressions), 0)')} AS rankedImpressions`

/**
 * Sums of many entities of many properties over several windows, in one question. Entities without a
 * row in any of the windows are absent.
 */
export function entityFigures(client: ClickHouseClient, question: FiguresQuestion): Promise<EntityFiguresRow[]> {
  const { grain, windows, properties, named, within } = question
  const key = keyOf(grain)
  const from = within?.grain ?? grain
  const sql = `WITH {starts:Array(Date)} AS starts, {ends:Array(Date)} AS ends
    SELECT f.property AS property, ${asText(key)} AS name, ${sumsOverWindows}
    FROM ${tableOf(from)} AS f WHERE ${onCurrentDaysOf(from, withinSpans(windows))}${andWithin(within)} ${grain === 'total' ? '' : `AND ${picked(grain, question)}`}
    GROUP BY property, ${key}`
  return askSettled(client, {
    grain: from,
    within,
    sql,
    row: figuresRow,
    mostBytes,
    params: {
      ...withinParams(within),
      properties: [...properties],
      type: within?.type ?? 'web',
      starts: windows.map(({ start }) => start),
      ends: windows.map(({ end }) => end),
      namedProperties: named.map(({ property }) => property),
      names: named.map(({ name: each }) => each.toWellFormed()),
      ...(question.pick.by === 'top' && { count: question.pick.count }),
      ...(question.pick.by === 'ranked' && { position: question.pick.position, least: question.pick.impressions }),
    },
  })
}

/** Maximum number of high-ranking entities of one property at once, largest impressions first. */
export const mostRanked = 2_000

/** Properties and names given as two lists, which every form of the engine takes. */
export const isNamed = (column: string): string =>
  `(property, ${column}) IN (SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip({namedProperties:Array(UInt64)}, {names:Array(String)})) AS pair))`

function picked(grain: 'page' | 'query', { pick, within }: FiguresQuestion): string {
  if (pick.by === 'names') return isNamed(grain)
  const source = within?.grain ?? grain
  const days = onCurrentDaysOf(source, withinSpans([pick.span]))
  const from = `SELECT property, ${grain} FROM ${tableOf(source)} WHERE ${days}${andWithin(within, '')} GROUP BY property, ${grain}`
  const chosen =
    pick.by === 'top'
      ? `${from} HAVING sum(clicks) > 0 ORDER BY property, sum(clicks) DESC, sum(impressions) DESC, ${grain} LIMIT {count:UInt32} BY property`
      : `${from} HAVING sum(impressions) >= {least:Float64} AND sum(position_sum) > 0
          AND sum(position_sum) <= {position:Float64} * sumIf(impressions, position_sum > 0)
          ORDER BY property, sum(impressions) DESC, ${grain} LIMIT ${mostRanked} BY property`
  return `((property, ${grain}) IN (${chosen}) OR ${isNamed(grain)})`
}
