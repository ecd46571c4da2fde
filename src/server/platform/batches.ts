/** What waits for the query that is under way. */
type Batch<V> = { keys: Set<string>; answer: Promise<Map<string, V>> }

/**
 * Most questions that are answered together. What they wait for goes on in one turn of the event loop, which others must
 * not have to wait for long.
 */
const most = 32

/**
 * Joins look-ups that come at the same time: while one query is under way those that arrive wait, and are then answered by
 * the next one together. Every answer comes from a query that began after its question was asked.
 */
export function inBatches<V>(query: (keys: readonly string[]) => Promise<Map<string, V>>): (key: string) => Promise<V | undefined> {
  let last: Batch<V> | undefined
  let underway: Promise<unknown> = Promise.resolve()

  function next(): Batch<V> {
    const keys = new Set<string>()
    const answer = underway.then(() => {
      // Who comes from now on asks anew.
      if (last === batch) last = undefined
      return query([...keys])
    })
    const batch = { keys, answer }
    underway = answer.catch(() => {})
    return batch
  }

  return async (key) => {
    if (last === undefined || (last.keys.size >= most && !last.keys.has(key))) last = next()
    last.keys.add(key)
    return (await last.answer).get(key)
  }
}
