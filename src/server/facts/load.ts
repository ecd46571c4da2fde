import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import { type Grain, grainDimensions, tableOf } from './schema.ts'

/**
 * One row as Google gives it. `keys` are the values of the grain's dimensions in the order of
 * `grainDimensions`; `position` is the mean position (1 = top), 0 where the search type has none.
 */
export type FactRow = {
  date: IsoDate
  keys: readonly string[]
  clicks: number
  impressions: number
  position: number
}

type DayTotals = { rows: number; clicks: number; impressions: number }

/** What one load has written of one grain, day by day. */
export type LoadedDays = Map<IsoDate, DayTotals>

/**
 * Replaces whole days of one property and search type. Write every row first, then `publish`:
 * until then readers see the old days, and a load that is never published is never seen.
 */
export type Load = {
  /** Writes rows of one grain; may be called many times, rows of one day may come in many calls. */
  write(grain: Grain, rows: readonly FactRow[]): Promise<void>
  /** Makes this load the current one for the given grains and days; a day without rows becomes empty. */
  publish(days: ReadonlyMap<Grain, Iterable<IsoDate>>): Promise<void>
  /** What was written so far. */
  written(grain: Grain): LoadedDays
}

export type LoadTarget = {
  property: number
  searchType: SearchType
  /** A number greater than that of every earlier load; comes from the `fact_load` sequence. */
  load: number
}

/** Rows that go to the engine in one insert: large enough to be cheap, small enough to bound memory. */
const insertRows = 50_000

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0', '\b': '\\b', '\f': '\\f' }
// oxlint-disable-next-line no-control-regex -- these are exactly what TabSeparated has to escape
const special = /[\\\t\n\r\0\b\f]/
// oxlint-disable-next-line no-control-regex
const specialAll = /[\\\t\n\r\0\b\f]/g

/** Text as ClickHouse's TabSeparated format reads it back unchanged. */
function escapeTsv(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return special.test(whole) ? whole.replace(specialAll, (c) => escapes[c] ?? c) : whole
}

/** Starts a load; nothing is written until `write` is called. */
export function beginLoad(client: ClickHouseClient, target: LoadTarget): Load {
  const days = new Map<Grain, LoadedDays>()
  const prefix = `${target.property}\t${target.searchType}\t`

  function count(grain: Grain, row: FactRow): void {
    let ofGrain = days.get(grain)
    if (!ofGrain) days.set(grain, (ofGrain = new Map()))
    let day = ofGrain.get(row.date)
    if (!day) ofGrain.set(row.date, (day = { rows: 0, clicks: 0, impressions: 0 }))
    day.rows += 1
    day.clicks += row.clicks
    day.impressions += row.impressions
  }

  function toTsv(grain: Grain, rows: readonly FactRow[], from: number, to: number): string {
    let text = ''
    for (let i = from; i < to; i++) {
      const row = rows[i] as FactRow
      count(grain, row)
      text += `${prefix}${row.date}\t${target.load}\t`
      for (const key of row.keys) text += `${escapeTsv(key)}\t`
      text += `${row.clicks}\t${row.impressions}\t${row.position * row.impressions}\n`
    }
    return text
  }

  return {
    async write(grain, rows) {
      const columns = ['property', 'type', 'date', 'load', ...grainDimensions[grain], 'clicks', 'impressions', 'position_sum'] as const
      for (let from = 0; from < rows.length; from += insertRows) {
        const text = toTsv(grain, rows, from, Math.min(from + insertRows, rows.length))
        await client.insert({
          table: tableOf(grain),
          columns: [...columns],
          values: Readable.from([text], { objectMode: false }),
          format: 'TabSeparated',
        })
      }
    },
    async publish(published) {
      const values = [...published].flatMap(([grain, dates]) =>
        [...dates].map((date) => {
          const day = days.get(grain)?.get(date) ?? { rows: 0, clicks: 0, impressions: 0 }
          return { property: target.property, type: target.searchType, grain, date, load: target.load, ...day }
        }),
      )
      if (values.length > 0) await client.insert({ table: 'facts_current', values, format: 'JSONEachRow' })
    },
    written: (grain) => days.get(grain) ?? new Map(),
  }
}
