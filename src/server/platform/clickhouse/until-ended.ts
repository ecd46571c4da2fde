import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseSettings } from '@clickhouse/client'
import type { Log } from '../log.ts'
import { isBrokenOff } from './clickhouse-errors.ts'

/** How often a server is told to end a statement that nobody waits for: it may not have begun yet. */
const againMs = 1_000
/** How long a server is asked whether a statement whose answer broke off has ended. */
const confirmMs = 5_000

/** Sends a statement with the client's settings. */
type Tell = (query: string, signal: AbortSignal) => Promise<unknown>

type Ending = {
  /** Sends a statement on a connection that questions don't keep busy. */
  tell: Tell
  /** After how many seconds the server ends a question by itself, unless the question says otherwise. */
  seconds: number
  log: Log
}
type Question = { abort_signal?: AbortSignal; clickhouse_settings?: ClickHouseSettings }

/**
 * Makes questions that are over only once they have ended in the server: over HTTP, the server goes on with a question after its client
 * hangs up, so whoever counts what is running would count too little. So an abandoned question isn't hung up on: the server is told to end
 * it, and its answer then says that it has ended. If an answer breaks off, the server is asked to end the question and to confirm that; as
 * long as it responds but can't confirm it, the question counts as running until its time is over. To end its own statements, a user needs
 * SELECT on system.processes (docs/deploy.md).
 */
export function endingInServer({ tell, seconds, log }: Ending) {
  let isReported = false
  /** Only the server's own refusal is worth a line: that it can't be reached shows everywhere. */
  function report(error: unknown): void {
    if (isReported || !(error instanceof Error) || !('type' in error)) return
    isReported = true
    log.error(
      { err: error },
      'ClickHouse does not end abandoned queries, so each takes up a place until its time is over: GRANT SELECT ON system.processes to its user (docs/deploy.md)',
    )
  }

  return <Params extends Question, Answer>(ask: (params: Params) => Promise<Answer>) =>
    async (params: Params): Promise<Answer> => {
      const { abort_signal: abandoned, ...asked } = params
      abandoned?.throwIfAborted()
      const [id, begun] = [randomUUID(), performance.now()]
      const kill = (signal: AbortSignal, mode: 'ASYNC' | 'SYNC') => tell(`KILL QUERY WHERE query_id = '${id}' ${mode}`, signal)
      const ended = new AbortController()
      const end = async (): Promise<void> => {
        while (!ended.signal.aborted) {
          await kill(ended.signal, 'ASYNC').catch(report)
          await sleep(againMs, undefined, { signal: ended.signal }).catch(() => {})
        }
      }
      const confirmEnd = async (): Promise<void> => {
        const late = AbortSignal.timeout(confirmMs)
        try {
          await kill(late, 'SYNC')
        } catch (error) {
          report(error)
          // A server that can't be reached runs nothing, as a rule, and may be back at once.
          if (isBrokenOff(error) && !late.aborted) return
          const limit = Number(params.clickhouse_settings?.max_execution_time ?? seconds)
          await sleep(Math.max(0, begun + limit * 1000 - performance.now()), undefined, { ref: false })
        }
      }
      abandoned?.addEventListener('abort', end, { once: true })
      try {
        return await ask({ ...asked, query_id: id } as unknown as Params)
      } catch (error) {
        if (isBrokenOff(error)) await confirmEnd()
        throw error
      } finally {
        abandoned?.removeEventListener('abort', end)
        ended.abort()
      }
    }
}
