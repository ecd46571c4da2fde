import type { SearchType } from '../../contract/common.ts'
import { eachDay } from '../../core/analytics/days.ts'
import type { FactRow, Load } from '../facts/load.ts'
import type { Grain } from '../facts/schema.ts'
import type { GoogleProblem, GoogleResult } from '../google/problem.ts'
import { type AskGoogle, fetchSpan, spansOf } from './fetch-grain.ts'
import { type Chunk, grainsOf } from './sync-plan.ts'

/** Requests of one property that are on their way at the same time. */
const inFlight = 4
/** Rows gathered before they go to the store in one insert. */
const batchRows = 50_000

/**
 * Fetches all grains of a chunk of days, writes them into `load` and publishes them together.
 * When any request fails nothing is published and the days stay as they were.
 */
export async function fetchChunk(
  ask: AskGoogle,
  load: Load,
  what: { chunk: Chunk; searchType: SearchType },
): Promise<GoogleResult<null>> {
  const grains = grainsOf(what.searchType)
  const tasks = grains.flatMap((grain) => spansOf(grain, what.chunk).map((span) => ({ grain, searchType: what.searchType, span })))
  const batches = createBatches(load)
  let problem: GoogleProblem | null = null

  async function work(): Promise<void> {
    for (let task = tasks.shift(); task && !problem; task = tasks.shift()) {
      const answer = await fetchSpan(ask, task, batches.add)
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

/** Gathers rows per grain, so that many small answers become few inserts. */
function createBatches(load: Load) {
  const waiting = new Map<Grain, FactRow[]>()
  return {
    async add(grain: Grain, rows: FactRow[]): Promise<void> {
      const gathered = waiting.get(grain)
      const all = gathered ? gathered.concat(rows) : rows
      if (all.length < batchRows) {
        waiting.set(grain, all)
        return
      }
      waiting.delete(grain)
      await load.write(grain, all)
    },
    async flush(): Promise<void> {
      for (const [grain, rows] of waiting) await load.write(grain, rows)
      waiting.clear()
    },
  }
}
