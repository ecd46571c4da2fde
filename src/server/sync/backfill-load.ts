import type { IsoDate, SearchType } from '../../contract/common.ts'
import { addDays, daysBetween, earlier, later } from '../../core/analytics/days.ts'
import type { Load } from '../facts/load.ts'
import type { Grain } from '../facts/schema.ts'
import type { FactsStore } from '../facts/store.ts'
import { rowLimit } from '../google/search-console.ts'
import { spanDays, spansOf } from './fetch-grain.ts'
import type { Chunk } from './sync-plan.ts'

/**
 * A load that the backfill writes chunk by chunk. Grains with few rows are fetched far ahead, one call for many chunks; nobody sees those
 * rows before their day is published with all of its grains. Only this process knows what was fetched ahead: after a kill, the next process
 * begins another load, and the sweep deletes the rest (decision 0038).
 */
export type BackfillLoad = {
  readonly load: Load
  readonly begunAt: number
  /** The last day to backfill. */
  readonly backfillTo: IsoDate
  /** What to ask for now to have one grain of a chunk: nothing if an earlier answer contains it. */
  nextSpans(grain: Grain, chunk: Chunk): Chunk[]
  /** Whether days have so few rows that answers for many of them fit in memory. */
  isSmall(): boolean
}

export type BackfillLoads = {
  /** The load to continue. It is gone unless given back: a load that failed midway must not be continued. */
  take(property: number, searchType: SearchType, next: { chunk: Chunk; backfillTo: IsoDate }): Promise<BackfillLoad>
  /** The chunk is published; older ones, if any, follow in this load. */
  giveBack(backfill: BackfillLoad, published: Chunk): void
}

/** Longest life of a load: the sweep deletes what is not published within half a day. */
const longestMs = 3_600_000
/** In one process; each load remembers what it wrote for every day. */
const keptAtOnce = 64

/** Target size of an answer in rows, so that days with more than usual don't fill it up. */
const roomyRows = 0.8 * rowLimit
/** Rows by query and page a day, up to which a property counts as small. */
const smallDay = 5_000

export function createBackfillLoads(facts: Pick<FactsStore, 'beginLoad' | 'newestLoad'>, now = () => performance.now()): BackfillLoads {
  const kept = new Map<string, { backfill: BackfillLoad; publishedFrom: IsoDate }>()
  const keyOf = (property: number, searchType: SearchType): string => `${property} ${searchType}`

  return {
    async take(property, searchType, { chunk, backfillTo }) {
      const key = keyOf(property, searchType)
      const last = kept.get(key)
      kept.delete(key)
      // A load writes a day only once, or its rows would count twice.
      if (last && chunk.to < last.publishedFrom && now() - last.backfill.begunAt < longestMs) {
        const newest = await facts.newestLoad({ property, searchType, start: chunk.from, end: chunk.to })
        // Readers take a day's newest load: one published meanwhile, such as an import, would hide ours.
        if (newest < last.backfill.load.target.load) return last.backfill
      }
      return openBackfill(await facts.beginLoad(property, searchType), backfillTo, now())
    },

    giveBack(backfill, published) {
      if (published.from <= backfill.backfillTo) return
      const { property, searchType } = backfill.load.target
      kept.set(keyOf(property, searchType), { backfill, publishedFrom: published.from })
      const [oldest] = kept.keys()
      if (oldest !== undefined && kept.size > keptAtOnce) kept.delete(oldest)
    },
  }
}

function openBackfill(load: Load, backfillTo: IsoDate, begunAt: number): BackfillLoad {
  /** The days asked for, by grain: from the first chunk's last day back to the oldest. */
  const asked = new Map<Grain, Chunk>()

  function rowsADay(grain: Grain, { from, to }: Chunk): number {
    const days = [...load.written(grain).values()]
    return days.reduce((sum, { rows }) => sum + rows, 0) / daysBetween(from, to)
  }

  return {
    load,
    begunAt,
    backfillTo,
    nextSpans(grain, chunk) {
      const before = asked.get(grain)
      // The first chunk is asked for alone and shows how many rows a day has.
      const fitting = before ? Math.floor(roomyRows / Math.max(1, rowsADay(grain, before))) : daysBetween(chunk.from, chunk.to)
      const length = Math.max(1, Math.min(spanDays[grain], fitting))
      const to = before ? earlier(chunk.to, addDays(before.from, -1)) : chunk.to
      if (to < chunk.from) return []
      const from = grain === 'query_page' ? chunk.from : earlier(chunk.from, later(backfillTo, addDays(to, 1 - length)))
      asked.set(grain, { from, to: before?.to ?? chunk.to })
      return spansOf(grain, { from, to }, length)
    },
    isSmall() {
      const days = asked.get('query_page')
      return days !== undefined && rowsADay('query_page', days) < smallDay
    },
  }
}
