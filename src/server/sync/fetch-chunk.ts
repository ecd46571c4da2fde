import type { SearchType } from '../../contract/common.ts'
import { eachDay } from '../../core/analytics/days.ts'
import type { EncodedRows } from '../facts/encode.ts'
import { insertRows, type Load } from '../facts/load.ts'
import type { Grain } from '../facts/schema.ts'
import type { GoogleProblem, GoogleResult } from '../google/problem.ts'
import { fetchSpan, spansOf } from './fetch-grain.ts'
import type { GoogleSource } from './google-source.ts'
import { type Chunk, grainsOf } from './sync-plan.ts'

/** Requests of one property that are on their way at the same time. */
const inFlight = 4

/**
 * Fetches all grains of a chunk of days, writes them into `load` and publishes them together.
 * When any request fails nothing is published and the days stay as they were.
 */
export async function fetchChunk(
  source: GoogleSource,
  load: Load,
  what: { chunk: Chunk; searchType: SearchType },
): Promise<GoogleResult<null>> {
  const grains = grainsOf(what.searchType)
  const spans = grains.flatMap((grain) =>
    spansOf(grain, what.chunk).map((days) => ({ grain, searchType: what.searchType, days, target: load.target })),
  )
  const batches = createBatches(load)
  let problem: GoogleProblem | null = null

  async function work(): Promise<void> {
    for (let span = spans.shift(); span && !problem; span = spans.shift()) {
      const answer = await fetchSpan(source, span, batches.add)
      if (!answer.ok) problem ??= answer.problem
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  if (problem) return { ok: false, problem }

  await batches.flush()
  const days = eachDay(what.chunk.from, what.chunk.to)
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
