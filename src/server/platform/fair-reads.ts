import { finished } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { createFairShare } from './fair-share.ts'
import { tenantNow } from './tenant.ts'

/** Answers that are read bit by bit, each with some megabytes in memory, for as long as somebody takes them. */
const streams = { places: 32, perTenant: 2 }

/**
 * The same client, whose questions take turns by tenant (docs/decisions/0032): one person's many reports keep nobody
 * else's waiting, here or in the engine. A question holds its place until it is answered, an answer that is read bit by
 * bit (`exec`) until it has been read or nobody reads it any more. Writes are not counted: they are the sync's, which
 * has turns of its own.
 * @param atATime questions that the engine may work at at once for this process
 */
export function readFairly(client: ClickHouseClient, atATime: number): ClickHouseClient {
  const questions = createFairShare({ places: atATime, perTenant: Math.max(1, Math.floor(atATime / 2)) })
  const streamed = createFairShare(streams)
  const query = client.query.bind(client)
  const exec = client.exec.bind(client)
  return Object.assign(client, {
    query: ((params) => questions.run(tenantNow(), () => query(params), { signal: params.abort_signal })) as typeof query,
    exec: (async (params: Parameters<typeof exec>[0]) => {
      const leave = await streamed.enter(tenantNow(), { signal: params.abort_signal })
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
