import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { daysBetween } from '../../../core/analytics/days.ts'
import { askSettled } from '../ask-settled.ts'
import { andWithin, type Within, withinParams } from '../filter-sql.ts'
import { onCurrentDaysOf, type Span, withinSpans } from '../current.ts'
import { type EntityGrain, isNamed, keyOf, type NamedEntity } from './entity-figures.ts'
import { tableOf } from '../schema.ts'
import { asText } from '../question.ts'

const counts = z.array(z.number())
const row = z.object({
  property: z.number(),
  name: z.string(),
  /** Counted from the first requested day, in any order; days without rows are absent. */
  day: counts,
  clicks: counts,
  impressions: counts,
  positionSum: counts,
  rankedImpressions: counts,
})
export type EntityDays = z.infer<typeof row>

/** Which of a property's entities to return. */
export type DaysPick =
  | { by: 'names'; named: readonly NamedEntity[] }
  /** Among the first `count` by clicks in any `days` consecutive days. */
  | { by: 'ever top'; count: number; days: number }
  /** First seen after the first requested day, with at least this many impressions on one of the days. */
  | { by: 'appeared'; impressions: number }
  /** With at least this many impressions on one of the days. */
  | { by: 'shown'; impressions: number }
  /** With at least this many counts over all days. */
  | { by: 'counted'; metric: 'clicks' | 'impressions'; least: number }

export type DaysQuestion = {
  grain: EntityGrain
  properties: readonly number[]
  span: Span
  pick: DaysPick
  /** Only what a segment has of them, or a search type other than web. */
  within?: Within | null | undefined
}

/** Limits for a property's answer: days of all entities together, some tens of megabytes, and entities, whose names may be long. */
const mostDays = 1_000_000
const mostNames = 5_000
/** As much as that many days take, and a little for the names. */
const mostBytes = 48 * 1024 ** 2

/**
 * Daily figures of many entities, one row each. If more are picked than fit, those with the most impressions stay, or those that were among
 * the top ones for the longest time.
 */
export function entityDays(client: ClickHouseClient, { grain, properties, span, pick, within }: DaysQuestion): Promise<EntityDays[]> {
  const from = within?.grain ?? grain
  const days = onCurrentDaysOf(from, withinSpans([span]))
  const sql = `SELECT property, ${asText('key')} AS name, groupArray(d) AS day, groupArray(c) AS clicks, groupArray(i) AS impressions,
      groupArray(p) AS positionSum, groupArray(r) AS rankedImpressions
    FROM (
      SELECT f.property AS property, ${keyOf(grain)} AS key, dateDiff('day', {start:Date}, f.date) AS d, sum(f.clicks) AS c, sum(f.impressions) AS i,
        sum(f.position_sum) AS p, sumIf(f.impressions, f.position_sum > 0) AS r
      FROM ${tableOf(from)} AS f WHERE ${days}${andWithin(within)} ${grain === 'total' ? '' : `AND ${picked(grain, pick, { rows: `${tableOf(from)} WHERE ${days}${andWithin(within, '')}`, isSplit: from !== grain })}`}
      GROUP BY property, key, d)
    GROUP BY property, key`
  const { named, ...params } = pick.by === 'names' ? pick : { ...pick, named: [] }
  return askSettled(client, {
    grain: from,
    within,
    sql,
    row,
    mostBytes,
    params: {
      ...withinParams(within),
      properties: [...properties],
      type: within?.type ?? 'web',
      start: span.start,
      namedProperties: named.map(({ property }) => property),
      names: named.map((each) => each.name.toWellFormed()),
      ...('count' in params && { count: params.count, days: params.days, step: Math.ceil(params.days / 7) }),
      ...('impressions' in params && { least: params.impressions }),
      ...('least' in params && { least: params.least }),
      ...(pick.by !== 'names' && { most: Math.min(mostNames, Math.max(1, Math.floor(mostDays / daysBetween(span.start, span.end)))) }),
    },
  })
}

/** @param source the table and its conditions, and whether it has several rows for a day of an entity */
function picked(grain: 'page' | 'query', pick: DaysPick, { rows, isSplit }: { rows: string; isSplit: boolean }): string {
  const from = `SELECT property, ${grain} FROM ${rows}`
  // For split days, the sum of all of them, which is more than any single one had: a few extra do no harm.
  const shown = isSplit ? 'sum(impressions)' : 'max(impressions)'
  const mostShown = `ORDER BY property, sum(impressions) DESC, ${grain} LIMIT {most:UInt32} BY property`
  switch (pick.by) {
    case 'names':
      return isNamed(grain)
    case 'appeared':
      return `(property, ${grain}) IN (${from} GROUP BY property, ${grain} HAVING min(date) > {start:Date} AND ${shown} >= {least:Float64} ${mostShown})`
    case 'shown':
      return `(property, ${grain}) IN (${from} GROUP BY property, ${grain} HAVING ${shown} >= {least:Float64} ${mostShown})`
    case 'counted':
      return `(property, ${grain}) IN (${from} GROUP BY property, ${grain} HAVING sum(${pick.metric}) >= {least:Float64} ${mostShown})`
    case 'ever top':
      // Each day counts for the windows that end on it and on the following days. Windows with nearby last days are treated as one: by all
      // of their days at most, by their shared days at least. Ties with the last of the top names all stay. Names are compared by hash,
      // which takes half as long as comparing text; two with the same hash would both stay.
      return `(property, cityHash64(${grain})) IN (
        SELECT property, arrayJoin(leading) AS leader FROM (
          SELECT property, groupArray(least) AS sure, arrayReverseSort(sure)[least({count:UInt32}, length(sure))] AS bar,
            arrayFilter((name, clicked) -> clicked >= bar, groupArray(hash), groupArray(most)) AS leading
          FROM (
            SELECT property, cityHash64(${grain}) AS hash, sum(clicks) AS most, sumIf(clicks, day <= ends * {step:UInt32} AND day + {days:UInt32} >= (ends + 1) * {step:UInt32}) AS least,
              arrayJoin(range(intDiv(toUInt32(date) AS day, {step:UInt32}), intDiv(day + {days:UInt32} - 1, {step:UInt32}) + 1)) AS ends
            FROM ${rows} AND clicks > 0 GROUP BY property, hash, ends)
          GROUP BY property, ends)
        GROUP BY property, leader ORDER BY property, count() DESC, leader LIMIT {most:UInt32} BY property)`
  }
}
