import { setImmediate as nextTurn } from 'node:timers/promises'
import { forServer } from './tenant.ts'

/** Lookups waiting for the query in progress. `answer` is the one for its latest callers, who continue a turn after those before them. */
type Batch<V> = { keys: Set<string>; callers: number; answer: Promise<Map<string, V>> }

/** Maximum number of keys looked up together. */
const most = 32

/**
 * How many callers of a batch, of one key or many, continue in one turn of the event loop: each may go on to fill a megabyte, and until
 * the last one has done so, nobody else gets a turn.
 */
export const callersATurn = 16

/**
 * Batches concurrent lookups: those that arrive during a query wait, and are answered together by the next one. Every answer comes from a
 * query that began after its question was asked.
 */
export function inBatches<V>(query: (keys: readonly string[]) => Promise<Map<string, V>>): (key: string) => Promise<V | undefined> {
  let last: Batch<V> | undefined
  let underway: Promise<unknown> = Promise.resolve()

  function next(): Batch<V> {
    const keys = new Set<string>()
    const answer = underway.then(() => {
      // Later arrivals start a new batch.
      if (last === batch) last = undefined
      return forServer(() => query([...keys]))
    })
    const batch = { keys, callers: 0, answer }
    underway = answer.catch(() => {})
    return batch
  }

  return async (key) => {
    if (last === undefined || (last.keys.size >= most && !last.keys.has(key))) last = next()
    last.keys.add(key)
    if (last.callers > 0 && last.callers % callersATurn === 0) last.answer = last.answer.finally(() => nextTurn())
    last.callers += 1
    return (await last.answer).get(key)
  }
}

/**
 * Runs `work` at most once at a time per key: calls that arrive while it runs share the next run. Every answer comes from a run that began
 * after its caller asked.
 */
export function oncePerKey<V>(work: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const runs = new Map<string, { running: Promise<V>; next?: Promise<V> }>()

  function start(key: string): Promise<V> {
    const run: { running: Promise<V>; next?: Promise<V> } = { running: work(key) }
    runs.set(key, run)
    const forget = (): void => void (run.next === undefined && runs.delete(key))
    run.running.then(forget, forget)
    return run.running
  }

  return (key) => {
    const run = runs.get(key)
    if (run === undefined) return start(key)
    const again = (): Promise<V> => start(key)
    return (run.next ??= run.running.then(again, again))
  }
}
