import { finished } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { createFairShare } from './fair-share.ts'
import { abandonedNow, tenantNow } from './tenant.ts'

/** Answers that are read bit by bit, each with some megabytes in memory, for as long as somebody takes them. */
const streams = { places: 32, perTenant: 2 }

/** Questions of one person that may wait; a screen of an agency with all its sites asks for some hundreds. */
const waitingPerTenant = 2_000

/**
 * The same client, whose questions take turns by tenant (docs/decisions/0032): one person's many reports keep nobody
 * else's waiting, here or in the engine. A question holds its place until it is answered, an answer that is read bit by
 * bit (`exec`) until it has been read or nobody reads it any more. One that nobody waits for any more leaves the line, and a
 * ClickHouse server breaks it off. Writes are not counted: they are the sync's, which
 * has turns of its own.
 * @param atATime questions that the engine may work at at once for this process
 */
export function readFairly(client: ClickHouseClient, atATime: number): ClickHouseClient {
  const questions = createFairShare({ places: atATime, perTenant: Math.max(1, Math.floor(atATime / 2)), waitingPerTenant })
  const streamed = createFairShare(streams)
  const query = client.query.bind(client)
  const exec = client.exec.bind(client)
  return Object.assign(client, {
    query: ((params) => {
      const signal = params.abort_signal ?? abandonedNow()
      const answer = questions.run(tenantNow(), () => query(signal ? { ...params, abort_signal: signal } : params), { signal })
      // What the client says of a question that it broke off sounds like a store that is away.
      return answer.catch((error: unknown) => Promise.reject(signal?.aborted ? signal.reason : error))
    }) as typeof query,
    exec: (async (params: Parameters<typeof exec>[0]) => {
      const leave = await streamed.enter(tenantNow(), { signal: params.abort_signal ?? abandonedNow() })
      try {
        const answer = await exec(params)
        finished(answer.stream, leave)
        return answer
      } catch (error) {
        leave()
        throw error
      }
    }) as typeof exec,
  })
}
