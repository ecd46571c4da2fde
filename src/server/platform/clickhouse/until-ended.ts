import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBrokenOff } from './clickhouse-errors.ts'

/** How often a server is told to end a statement that nobody waits for: it may not have begun yet. */
const againMs = 1_000
/** How long a server is asked whether a statement ended whose answer broke off. */
const confirmMs = 5_000

/** Sends a statement with the client's settings. */
type Tell = (query: string, signal: AbortSignal) => Promise<unknown>

/**
 * The same question, but over only once it has ended in the server: over HTTP, it goes on after its client hangs up, and whoever counts what
 * is running would count too little. So an abandoned question isn't hung up on: the server is told to end it, and its answer then says that
 * it did. If an answer breaks off, the server is asked to end the question and to say so, as far as it still responds.
 * Nobody needs a privilege to end their own statements.
 * @param tell sends a statement on a connection that questions don't keep busy
 */
export function untilEnded<Params extends { abort_signal?: AbortSignal }, Answer>(
  ask: (params: Params) => Promise<Answer>,
  tell: Tell,
): (params: Params) => Promise<Answer> {
  return async (params) => {
    const { abort_signal: abandoned, ...asked } = params
    abandoned?.throwIfAborted()
    const id = randomUUID()
    const kill = (signal: AbortSignal, mode: 'ASYNC' | 'SYNC') =>
      tell(`KILL QUERY WHERE query_id = '${id}' ${mode}`, signal).catch(() => {})
    const ended = new AbortController()
    const end = async (): Promise<void> => {
      while (!ended.signal.aborted) {
        await kill(ended.signal, 'ASYNC')
        await sleep(againMs, undefined, { signal: ended.signal }).catch(() => {})
      }
    }
    abandoned?.addEventListener('abort', end, { once: true })
    try {
      return await ask({ ...asked, query_id: id } as unknown as Params)
    } catch (error) {
      if (isBrokenOff(error)) await kill(AbortSignal.timeout(confirmMs), 'SYNC')
      throw error
    } finally {
      abandoned?.removeEventListener('abort', end)
      ended.abort()
    }
  }
}
