import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askSettled } from '../ask-settled.ts'
import { onCurrentDaysOf, type Span, withinSpans } from '../current.ts'
import { tableOf } from '../schema.ts'

/** What entities are told apart by: nothing (the whole property), pages, or queries. */
export type EntityGrain = 'total' | 'page' | 'query'

/** Which pages or queries of each property are asked about, beside those that are named. */
export type Pick =
  | { by: 'names' }
  /** Those with the most clicks in a span: clicks, then impressions, then name. */
  | { by: 'top'; span: Span; count: number }
  /** Those shown so often in a span, on average no further down than a position. */
  | { by: 'ranked'; span: Span; position: number; impressions: number }

export type NamedEntity = { property: number; name: string }

export type FiguresQuestion = {
  grain: EntityGrain
  properties: readonly number[]
  /** The windows to be summed; each entity's sums are in this order. */
  windows: readonly Span[]
  pick: Pick
  named: readonly NamedEntity[]
}

/** Sums over the windows asked for, in their order. */
export const figuresRow = z.object({
  property: z.number(),
  name: z.string(),
  clicks: z.array(z.number()),
  impressions: z.array(z.number()),
  positionSum: z.array(z.number()),
  /** Impressions whose position is known. */
  rankedImpressions: z.array(z.number()),
})
export type EntityFiguresRow = z.infer<typeof figuresRow>

const summed = (value: string): string => `sumForEach(arrayMap((s, e) -> if(f.date BETWEEN s AND e, ${value}, 0), starts, ends))`

/** The columns of `figuresRow` behind its name, of facts `f` over the windows `starts` and `ends`. */
export const sumsOverWindows = `${summed('toUInt64(f.clicks)')} AS clicks, ${summed('toUInt64(f.impressions)')} AS impressions,
      ${summed('f.position_sum')} AS positionSum, ${summed('if(f.position_sum > 0, toUInt64(f.impressions), 0)')} AS rankedImpressions`

/**
 * Sums of many entities of many properties over several windows, in one question. Web search only. Entities without a
 * row in any of the windows are absent.
 */
export function entityFigures(client: ClickHouseClient, question: FiguresQuestion): Promise<EntityFiguresRow[]> {
  const { grain, windows, properties, named } = question
  const name = grain === 'total' ? `''` : `f.${grain}`
  const sql = `WITH {starts:Array(Date)} AS starts, {ends:Array(Date)} AS ends
    SELECT f.property AS property, ${name} AS name, ${sumsOverWindows}
    FROM ${tableOf(grain)} AS f WHERE ${onCurrentDaysOf(grain, withinSpans(windows))} ${grain === 'total' ? '' : `AND ${picked(grain, question.pick)}`}
    GROUP BY property, name`
  return askSettled(client, {
    grain,
    sql,
    row: figuresRow,
    params: {
      properties: [...properties],
      type: 'web',
      starts: windows.map(({ start }) => start),
      ends: windows.map(({ end }) => end),
      namedProperties: named.map(({ property }) => property),
      names: named.map(({ name: each }) => each.toWellFormed()),
      ...(question.pick.by === 'top' && { count: question.pick.count }),
      ...(question.pick.by === 'ranked' && { position: question.pick.position, least: question.pick.impressions }),
    },
  })
}

/** Of what ranks high, so much of one property at once, the most shown first. */
export const mostRanked = 2_000

/** Properties and names given as two lists, which every form of the engine takes. */
export const isNamed = (column: string): string =>
  `(property, ${column}) IN (SELECT pair.1, pair.2 FROM (SELECT arrayJoin(arrayZip({namedProperties:Array(UInt64)}, {names:Array(String)})) AS pair))`

function picked(grain: 'page' | 'query', pick: Pick): string {
  if (pick.by === 'names') return isNamed(grain)
  const days = onCurrentDaysOf(grain, withinSpans([pick.span]))
  const from = `SELECT property, ${grain} FROM ${tableOf(grain)} WHERE ${days} GROUP BY property, ${grain}`
  const chosen =
    pick.by === 'top'
      ? `${from} HAVING sum(clicks) > 0 ORDER BY property, sum(clicks) DESC, sum(impressions) DESC, ${grain} LIMIT {count:UInt32} BY property`
      : `${from} HAVING sum(impressions) >= {least:Float64} AND sum(position_sum) > 0
          AND sum(position_sum) <= {position:Float64} * sumIf(impressions, position_sum > 0)
          ORDER BY property, sum(impressions) DESC, ${grain} LIMIT ${mostRanked} BY property`
  return `((property, ${grain}) IN (${chosen}) OR ${isNamed(grain)})`
}
