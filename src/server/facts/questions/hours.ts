import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { isoDate, type IsoDate } from '../../../contract/common.ts'
import { pacificDay } from '../../../core/analytics/days.ts'
import { askCurrent } from '../ask-current.ts'
import { type FactsLayout, oneServer } from '../layout.ts'
import { askWith, unhurried } from '../question.ts'
import { rewriteWhileRoom, type Unfit } from '../rewriting.ts'
import { tableOf } from '../schema.ts'

const row = z
  .object({ begins: z.number(), date: isoDate, hour: z.number(), clicks: z.number(), impressions: z.number(), positionSum: z.number() })
  .transform(({ begins, ...figures }) => ({ at: new Date(begins * 1000).toISOString(), ...figures }))

/**
 * Totals of one hour, including anonymized queries. `at` is the instant it begins (ISO, UTC), `date` its day and `hour` the clock time (0
 * to 23), both in California: on the day daylight saving time ends, hour 1 comes twice; on the day it begins, there is no hour 2.
 */
export type HourFigures = z.infer<typeof row>

/** Hours beginning at `from` or later and not after `to`; a day stands for all of its hours. */
export type HoursQuestion = { property: number; from: Date | IsoDate; to: Date | IsoDate }

/**
 * The stored hours of a period, oldest first. Web search only. An hour without impressions is included with zeros if it lies between hours
 * with Google's figures; an absent hour is unknown.
 */
export async function hourTotals(client: ClickHouseClient, { property, from, to }: HoursQuestion): Promise<HourFigures[]> {
  const [start, end] = [dayOf(from), dayOf(to)]
  const within = [
    ...(from instanceof Date ? ['f.at >= fromUnixTimestamp64Milli({from:Int64})'] : []),
    ...(to instanceof Date ? ['f.at <= fromUnixTimestamp64Milli({to:Int64})'] : []),
  ]
  return askCurrent(client, {
    grain: 'hour',
    sql: (filter) => `SELECT toUnixTimestamp(f.at) AS begins, f.date AS date, f.hour AS hour, f.clicks AS clicks,
        f.impressions AS impressions, f.position_sum AS positionSum
      FROM ${tableOf('hour')} AS f WHERE ${[filter, ...within].join(' AND ')} ORDER BY begins`,
    row,
    scope: { property, searchType: 'web', start, end },
    params: { from: from instanceof Date ? from.getTime() : 0, to: to instanceof Date ? to.getTime() : 0 },
  })
}

const dayOf = (moment: Date | IsoDate): IsoDate => (moment instanceof Date ? pacificDay(moment) : moment)

/** Replaces whole days of one property's hours. */
export type HoursLoad = {
  /** From now on each day has these hours and no others. Replaces all of them at once. */
  store(days: ReadonlyMap<IsoDate, readonly HourFigures[]>): Promise<void>
}

/**
 * Starts a load with a number greater than every earlier one; writes rows first, then the pointers through which they are read (load.ts).
 */
export const beginHours = (client: ClickHouseClient, { property, load }: { property: number; load: number }): HoursLoad => ({
  async store(days) {
    const key = { property, type: 'web', load }
    const rows = [...days.values()].flat().map(({ at, positionSum, ...figures }) => ({
      ...key,
      ...figures,
      at: Date.parse(at) / 1000,
      position_sum: positionSum,
    }))
    const pointers = [...days].map(([date, hours]) => ({
      ...key,
      grain: 'hour',
      date,
      rows: hours.length,
      clicks: hours.reduce((sum, { clicks }) => sum + clicks, 0),
      impressions: hours.reduce((sum, { impressions }) => sum + impressions, 0),
    }))
    if (rows.length > 0) await client.insert({ table: tableOf('hour'), values: rows, format: 'JSONEachRow' })
    if (pointers.length > 0) await client.insert({ table: 'facts_current', values: pointers, format: 'JSONEachRow' })
  },
})

const anyRow = z.object({ found: z.number() })

/**
 * Deletes the hours of all days before `before`, for every property, where there is room (see rewriting.ts); pointers go first, so that
 * none is read without its rows.
 * @returns the first partition that there was no room to rewrite
 * @throws AggregateError at the end, if some partitions failed
 */
export async function forgetHours(client: ClickHouseClient, before: IsoDate, layout: FactsLayout = oneServer): Promise<Unfit | undefined> {
  const whichOf = new Map([
    ['facts_current', `grain = 'hour' AND date < {before:Date}`],
    [tableOf('hour'), 'date < {before:Date}'],
  ])
  return rewriteWhileRoom(client, layout, [...whichOf.keys()], {
    // A deletion scans everything and rewrites what it touches, so run it only where there is something to delete.
    look: ({ table, id }) =>
      askWith(client, {
        sql: `SELECT 1 AS found FROM ${table} WHERE _partition_id = {id:String} AND ${whichOf.get(table)} LIMIT 1`,
        row: anyRow,
        params: { id, before },
        ...unhurried,
      }),
    async rewrite({ table, id }) {
      const query = `${layout.alter(table)} DELETE IN PARTITION ID '${id}' WHERE ${whichOf.get(table)} ${layout.deletion()}`
      await client.command({ query, query_params: { before } })
    },
  })
}
