import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { IsoDate } from '../../contract/common.ts'
import { type DayTotals, type EncodedRows, encodeRows, type FactRow, type LoadTarget } from './encode.ts'
import { type Grain, grainDimensions, tableOf } from './schema.ts'

export type { FactRow, LoadTarget } from './encode.ts'

/** What one load has written for one grain, by day. */
export type LoadedDays = ReadonlyMap<IsoDate, DayTotals>

/**
 * Replaces whole days of one property and search type. Write every row first, then `publish`: until then readers see the old days, and an
 * unpublished load is never seen.
 */
export type Load = {
  readonly target: LoadTarget
  /** Writes rows of one grain; call it as often as needed, even for rows of the same day. */
  write(grain: Grain, rows: readonly FactRow[]): Promise<void>
  /** Writes encoded rows of one grain in one insert. */
  writeEncoded(grain: Grain, batches: readonly EncodedRows[]): Promise<void>
  /** Makes this load current for the given grains and days; a day without rows becomes empty. */
  publish(days: ReadonlyMap<Grain, Iterable<IsoDate>>): Promise<void>
  /** What was written so far. */
  written(grain: Grain): LoadedDays
}

/** Rows per insert: enough to be cheap, few enough to bound memory. */
export const insertRows = 50_000
/** One insert, in rows and in characters of keys, which may be long. */
const inserted = { rows: insertRows, letters: 16 * 1024 ** 2 }
/** Encoded before others get a turn of the event loop: a few milliseconds. */
const encodedAtOnce = { rows: 5_000, letters: 1024 ** 2 }

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

/** Starts a load; writes nothing until `write` is called. */
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
      // An import may bring decades at once; the store's default limit is eight years of months.
      clickhouse_settings: { max_partitions_per_insert_block: '0' },
    })
  }

  return {
    target,
    writeEncoded,
    async write(grain, rows) {
      for (const some of runs(rows, inserted)) {
        const batches: EncodedRows[] = []
        for (const few of runs(some, encodedAtOnce)) {
          if (batches.length > 0) await nextTurn()
          batches.push(encodeRows(target, few))
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

/** Length of a row's keys together. */
export const lettersOf = (keys: readonly string[]): number => keys.reduce((sum, { length }) => sum + length, 0)

/** The rows in order, in runs of at most `most.rows` rows; a run also ends with the row that reaches `most.letters` characters. */
function* runs(rows: readonly FactRow[], most: { rows: number; letters: number }): Generator<FactRow[]> {
  let from = 0
  let letters = 0
  for (let end = 1; end <= rows.length; end++) {
    letters += lettersOf(rows[end - 1]?.keys ?? [])
    if (end < rows.length && end - from < most.rows && letters < most.letters) continue
    yield rows.slice(from, end)
    from = end
    letters = 0
  }
}
