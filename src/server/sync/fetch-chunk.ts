import type { SearchType } from '../../contract/common.ts'
import { eachDay } from '../../core/analytics/days.ts'
import type { EncodedRows } from '../facts/encode.ts'
import { insertRows, type Load } from '../facts/load.ts'
import type { Grain } from '../facts/schema.ts'
import type { GoogleProblem, GoogleResult } from '../google/problem.ts'
import type { BackfillLoad } from './backfill-load.ts'
import { fetchSpan, spansOf } from './fetch-grain.ts'
import type { GoogleSource } from './google-source.ts'
import { type Chunk, grainsOf } from './sync-plan.ts'

/** Concurrent requests for one property: a week of small answers, or as many as fit in memory. */
const inFlight = { small: 7, usual: 4 }

/**
 * `grains`: those of the search type unless given. `backfill`: older days follow in this load, and grains with few rows are fetched for them
 * too.
 */
type Wanted = { chunk: Chunk; searchType: SearchType; grains?: readonly Grain[]; backfill?: BackfillLoad }

/**
 * Fetches grains of a chunk of days, writes them into `load` and publishes them together. If any request fails, nothing is published
 * and the days stay as they were.
 */
export async function fetchChunk(
  source: GoogleSource,
  load: Load,
  { chunk, searchType, grains = grainsOf(searchType), backfill }: Wanted,
): Promise<GoogleResult<null>> {
  const days = eachDay(chunk.from, chunk.to)
  const atATime = backfill?.isSmall() ? inFlight.small : inFlight.usual
  const batches = createBatches(load)
  const shown = new Set(load.written('total').keys())
  let problem: GoogleProblem | null = null

  async function sink(grain: Grain, page: EncodedRows): Promise<void> {
    if (grain === 'total') for (const [day] of page.days) shown.add(day)
    await batches.add(grain, page)
  }

  async function fetchAll(wanted: readonly { grain: Grain; days: Chunk }[]): Promise<void> {
    const spans = [...wanted]
    async function work(): Promise<void> {
      for (let span = spans.shift(); span && !problem; span = spans.shift()) {
        const answer = await fetchSpan(source, { ...span, searchType, target: load.target }, sink)
        if (!answer.ok) problem ??= answer.problem
      }
    }
    await Promise.all(Array.from({ length: atATime }, work))
  }

  const spans = grains.flatMap((grain) =>
    (backfill?.nextSpans(grain, chunk) ?? spansOf(grain, chunk)).map((span) => ({ grain, days: span })),
  )
  await fetchAll(spans.filter(({ grain }) => grain !== 'query_page'))
  // Day by day, skipping days without impressions: they have no queries.
  await fetchAll(spans.filter((span) => span.grain === 'query_page' && shown.has(span.days.from)))
  if (problem) return { ok: false, problem }

  await batches.flush()
  await load.publish(new Map(grains.map((grain) => [grain, days])))
  return { ok: true, value: null }
}

/** Gathers pages per grain, so that many small answers become few inserts. */
function createBatches(load: Load) {
  const waiting = new Map<Grain, EncodedRows[]>()
  return {
    async add(grain: Grain, page: EncodedRows): Promise<void> {
      const pages = [...(waiting.get(grain) ?? []), page]
      const rows = pages.reduce((sum, each) => sum + each.rows, 0)
      if (rows < insertRows) {
        waiting.set(grain, pages)
        return
      }
      waiting.delete(grain)
      await load.writeEncoded(grain, pages)
    },
    async flush(): Promise<void> {
      const rest = [...waiting]
      waiting.clear()
      await Promise.all(rest.map(([grain, pages]) => load.writeEncoded(grain, pages)))
    },
  }
}
