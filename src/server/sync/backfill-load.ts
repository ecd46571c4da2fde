import type { IsoDate, SearchType } from '../../contract/common.ts'
import { addDays, daysBetween, earlier, later } from '../../core/analytics/days.ts'
import type { Load } from '../facts/load.ts'
import type { Grain } from '../facts/schema.ts'
import type { FactsStore } from '../facts/store.ts'
import { rowLimit } from '../google/search-console.ts'
import { spanDays, spansOf } from './fetch-grain.ts'
import type { Chunk } from './sync-plan.ts'

/**
 * A load that the backfill writes chunk after chunk. Grains of few rows are fetched far ahead, one call for many chunks;
 * nobody sees those rows before their day is published with all of its grains. What has been fetched ahead is known to
 * this process alone: whoever goes on after a kill begins another load, and what is left behind is swept (decision 0038).
 */
export type BackfillLoad = {
  readonly load: Load
  readonly begunAt: number
  /** The day that ends it. */
  readonly backfillTo: IsoDate
  /** What is to be asked now so that one grain of a chunk is there: nothing, if an earlier answer has it. */
  nextSpans(grain: Grain, chunk: Chunk): Chunk[]
  /** Whether days have so few rows that answers for many of them find room in memory. */
  isSmall(): boolean
}

export type BackfillLoads = {
  /** The load to go on with. It is gone unless it is given back: one that failed in the middle must not be gone on with. */
  take(property: number, searchType: SearchType, next: { chunk: Chunk; backfillTo: IsoDate }): Promise<BackfillLoad>
  /** The chunk is published; older ones follow in this load, if there are any. */
  giveBack(backfill: BackfillLoad, published: Chunk): void
}

/** A load goes on for no longer than this: the sweep deletes what half a day has not published. */
const longestMs = 3_600_000
/** Of one process; each remembers what it has written of every day. */
const keptAtOnce = 64

/** Rows that an answer is asked to have, so that days with more than usual do not fill it up. */
const roomyRows = 0.8 * rowLimit
/** Rows by query and page of a day up to which a property counts as small. */
const smallDay = 5_000

export function createBackfillLoads(facts: Pick<FactsStore, 'beginLoad' | 'newestLoad'>, now = () => performance.now()): BackfillLoads {
  const kept = new Map<string, { backfill: BackfillLoad; publishedFrom: IsoDate }>()
  const keyOf = (property: number, searchType: SearchType): string => `${property} ${searchType}`

  return {
    async take(property, searchType, { chunk, backfillTo }) {
      const key = keyOf(property, searchType)
      const last = kept.get(key)
      kept.delete(key)
      // A day is written once in a load, or its rows would count twice.
      if (last && chunk.to < last.publishedFrom && now() - last.backfill.begunAt < longestMs) {
        const newest = await facts.newestLoad({ property, searchType, start: chunk.from, end: chunk.to })
        // Readers take the newest load of a day: what somebody else published meanwhile, such as an import, would hide ours.
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
  /** The days of each grain that were asked for: from the first chunk's last one back to the oldest. */
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
      // How many rows a day has is learned from the first chunk, which is asked for by itself.
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
