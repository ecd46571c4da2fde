import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { daysBetween } from '../../../core/analytics/days.ts'
import { askSettled } from '../ask-settled.ts'
import { onCurrentDaysOf, type Span, withinSpans } from '../current.ts'
import { type EntityGrain, isNamed, type NamedEntity } from './entity-figures.ts'
import { tableOf } from '../schema.ts'

const counts = z.array(z.number())
const row = z.object({
  property: z.number(),
  name: z.string(),
  /** Counted from the first day asked for, in any order; days without rows are absent. */
  day: counts,
  clicks: counts,
  impressions: counts,
  positionSum: counts,
  rankedImpressions: counts,
})
export type EntityDays = z.infer<typeof row>

/** Which entities of a property are asked about. */
export type DaysPick =
  | { by: 'names'; named: readonly NamedEntity[] }
  /** Those among the first `count` by clicks in any `days` days that follow each other. */
  | { by: 'ever top'; count: number; days: number }
  /** First seen later than the first day asked for, and shown so often on one of the days. */
  | { by: 'appeared'; impressions: number }
  /** Shown so often on one of the days. */
  | { by: 'shown'; impressions: number }
  /** With so many counts on all days together. */
  | { by: 'counted'; metric: 'clicks' | 'impressions'; least: number }

export type DaysQuestion = { grain: EntityGrain; properties: readonly number[]; span: Span; pick: DaysPick }

/** Days of all entities together that one property is answered with: some tens of megabytes once they are added up. */
const mostDays = 1_000_000

/**
 * Daily figures of many entities, each in one row. Web search only. Where more are picked than fit, those stay that are
 * shown most, or longest among the first ones.
 */
export function entityDays(client: ClickHouseClient, { grain, properties, span, pick }: DaysQuestion): Promise<EntityDays[]> {
  const name = grain === 'total' ? `''` : `f.${grain}`
  const days = onCurrentDaysOf(grain, withinSpans([span]))
  const sql = `SELECT property, name, groupArray(d) AS day, groupArray(c) AS clicks, groupArray(i) AS impressions,
      groupArray(p) AS positionSum, groupArray(r) AS rankedImpressions
    FROM (
      SELECT f.property AS property, ${name} AS name, dateDiff('day', {start:Date}, f.date) AS d, sum(f.clicks) AS c, sum(f.impressions) AS i,
        sum(f.position_sum) AS p, sumIf(f.impressions, f.position_sum > 0) AS r
      FROM ${tableOf(grain)} AS f WHERE ${days} ${grain === 'total' ? '' : `AND ${picked(grain, days, pick)}`}
      GROUP BY property, name, d)
    GROUP BY property, name`
  const { named, ...params } = pick.by === 'names' ? pick : { ...pick, named: [] }
  return askSettled(client, {
    grain,
    sql,
    row,
    params: {
      properties: [...properties],
      type: 'web',
      start: span.start,
      namedProperties: named.map(({ property }) => property),
      names: named.map((each) => each.name.toWellFormed()),
      ...('count' in params && { count: params.count, days: params.days, step: Math.ceil(params.days / 7) }),
      ...('impressions' in params && { least: params.impressions }),
      ...('least' in params && { least: params.least }),
      ...(pick.by !== 'names' && { most: Math.max(1, Math.floor(mostDays / daysBetween(span.start, span.end))) }),
    },
  })
}

function picked(grain: 'page' | 'query', days: string, pick: DaysPick): string {
  const from = `SELECT property, ${grain} FROM ${tableOf(grain)} WHERE ${days}`
  const mostShown = `ORDER BY property, sum(impressions) DESC, ${grain} LIMIT {most:UInt32} BY property`
  switch (pick.by) {
    case 'names':
      return isNamed(grain)
    case 'appeared':
      return `(property, ${grain}) IN (${from} GROUP BY property, ${grain} HAVING min(date) > {start:Date} AND max(impressions) >= {least:Float64} ${mostShown})`
    case 'shown':
      return `(property, ${grain}) IN (${from} GROUP BY property, ${grain} HAVING max(impressions) >= {least:Float64} ${mostShown})`
    case 'counted':
      return `(property, ${grain}) IN (${from} GROUP BY property, ${grain} HAVING sum(${pick.metric}) >= {least:Float64} ${mostShown})`
    case 'ever top':
      // Each day counts for the windows that end on it and on the days after it. Windows whose last days lie together are taken as
      // one: by all of their days at most, by those they share at least. Names level with the last of the first ones all stay.
      // They are told apart by their hashes, which takes half as long as by their text; two with the same one would both stay.
      return `(property, cityHash64(${grain})) IN (
        SELECT property, arrayJoin(leading) AS leader FROM (
          SELECT property, groupArray(least) AS sure, arrayReverseSort(sure)[least({count:UInt32}, length(sure))] AS bar,
            arrayFilter((name, clicked) -> clicked >= bar, groupArray(hash), groupArray(most)) AS leading
          FROM (
            SELECT property, cityHash64(${grain}) AS hash, sum(clicks) AS most, sumIf(clicks, day <= ends * {step:UInt32} AND day + {days:UInt32} >= (ends + 1) * {step:UInt32}) AS least,
              arrayJoin(range(intDiv(toUInt32(date) AS day, {step:UInt32}), intDiv(day + {days:UInt32} - 1, {step:UInt32}) + 1)) AS ends
            FROM ${tableOf(grain)} WHERE ${days} AND clicks > 0 GROUP BY property, hash, ends)
          GROUP BY property, ends)
        GROUP BY property, leader ORDER BY property, count() DESC, leader LIMIT {most:UInt32} BY property)`
  }
}
