import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { IsoDate } from '../../contract/common.ts'
import { type DayTotals, type EncodedRows, encodeRows, type FactRow, type LoadTarget } from './encode.ts'
import { type Grain, grainDimensions, tableOf } from './schema.ts'

export type { FactRow, LoadTarget } from './encode.ts'

/** What one load has written of one grain, day by day. */
export type LoadedDays = ReadonlyMap<IsoDate, DayTotals>

/**
 * Replaces whole days of one property and search type. Write every row first, then `publish`:
 * until then readers see the old days, and a load that is never published is never seen.
 */
export type Load = {
  readonly target: LoadTarget
  /** Writes rows of one grain; may be called many times, rows of one day may come in many calls. */
  write(grain: Grain, rows: readonly FactRow[]): Promise<void>
  /** Writes rows of one grain that are encoded already, in one insert. */
  writeEncoded(grain: Grain, batches: readonly EncodedRows[]): Promise<void>
  /** Makes this load the current one for the given grains and days; a day without rows becomes empty. */
  publish(days: ReadonlyMap<Grain, Iterable<IsoDate>>): Promise<void>
  /** What was written so far. */
  written(grain: Grain): LoadedDays
}

/** Rows that go to the engine in one insert: large enough to be cheap, small enough to bound memory. */
export const insertRows = 50_000
/** Rows encoded before others get a turn of the event loop: some milliseconds. */
const encodeAtOnce = 5_000

const columnsOf = (grain: Grain): [string, ...string[]] => [
  'property',
  'type',
  'date',
  'load',
  ...grainDimensions[grain],
  'clicks',
  'impressions',
  'position_sum',
]

/** Starts a load; nothing is written until `write` is called. */
export function beginLoad(client: ClickHouseClient, target: LoadTarget): Load {
  const written = new Map<Grain, Map<IsoDate, DayTotals>>()

  function count(grain: Grain, days: EncodedRows['days']): void {
    let ofGrain = written.get(grain)
    if (!ofGrain) written.set(grain, (ofGrain = new Map()))
    for (const [date, more] of days) {
      const day = ofGrain.get(date) ?? { rows: 0, clicks: 0, impressions: 0 }
      ofGrain.set(date, {
        rows: day.rows + more.rows,
        clicks: day.clicks + more.clicks,
        impressions: day.impressions + more.impressions,
      })
    }
  }

  async function writeEncoded(grain: Grain, batches: readonly EncodedRows[]): Promise<void> {
    for (const batch of batches) count(grain, batch.days)
    await client.insert({
      table: tableOf(grain),
      columns: columnsOf(grain),
      values: Readable.from(
        batches.map((batch) => Buffer.from(batch.text.buffer)),
        { objectMode: false },
      ),
      format: 'TabSeparated',
      // An import may bring decades at once; the store's own limit is eight years of months.
      clickhouse_settings: { max_partitions_per_insert_block: '0' },
    })
  }

  return {
    target,
    writeEncoded,
    async write(grain, rows) {
      for (let from = 0; from < rows.length; from += insertRows) {
        const batches: EncodedRows[] = []
        const end = Math.min(from + insertRows, rows.length)
        for (let at = from; at < end; at += encodeAtOnce) {
          if (at > from) await nextTurn()
          batches.push(encodeRows(target, rows.slice(at, Math.min(at + encodeAtOnce, end))))
        }
        await writeEncoded(grain, batches)
      }
    },
    async publish(published) {
      const values = [...published].flatMap(([grain, dates]) =>
        [...dates].map((date) => {
          const day = written.get(grain)?.get(date) ?? { rows: 0, clicks: 0, impressions: 0 }
          return { property: target.property, type: target.searchType, grain, date, load: target.load, ...day }
        }),
      )
      if (values.length > 0) await client.insert({ table: 'facts_current', values, format: 'JSONEachRow' })
    },
    written: (grain) => written.get(grain) ?? new Map(),
  }
}
