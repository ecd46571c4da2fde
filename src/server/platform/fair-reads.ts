import { finished, Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { ahead, createFairShare } from './fair-share.ts'
import { createFairStreams } from './clickhouse/fair-streams.ts'
import { inLine } from './active-time.ts'
import { abandonedNow, holdsSlotNow, serverTenant, tenantNow } from './tenant.ts'

/** How many of the questions that ClickHouse answers at a time may be one person's: half. */
export const placesOfOne = (atATime: number): number => Math.max(1, Math.floor(atATime / 2))

/** Streamed answers, each with a few megabytes in memory for as long as somebody reads it. */
const streams = { places: 32, perTenant: 2 }

/** Maximum number of waiting questions per person; an agency's screen with all its sites asks some hundreds. */
const waitingPerTenant = 2_000

/**
 * Places by the time they are held: whoever used this much within about a minute has slow questions, and gets a quarter of the places
 * instead of half, so that two accounts with twenty-second queries leave half of the places to others' queries of a few milliseconds.
 */
const slowness = { latelyMs: 60_000, manyMs: 20_000 }

/** Places kept for the server's own questions, such as those of evaluations: an eighth, but none of very few. */
const reservedForServer = (atATime: number): number => (atATime < 4 ? 0 : Math.max(1, Math.floor(atATime / 8)))

/** A file's next rows go before its reader's waiting questions, of which there may be hundreds; at most two of them do. */
const ofFile = { rank: -1 }
/** So do queries of work that holds a place others wait for, even while its tenant's slow queries use up their share. */
const optionsNow = () => (holdsSlotNow() ? ahead : {})

/** The client's error for a canceled question looks like an unavailable store. */
const reasonFor = (signal: AbortSignal | undefined, error: unknown): unknown => (signal?.aborted ? signal.reason : error)

/**
 * A client on the same connection, but with tenants taking turns (docs/decisions/0032): one person's many reports hold up nobody else's,
 * here or in the engine. Whoever's questions took the least time lately goes first, and some places are kept for the server's own. A
 * question holds its place until it is answered, a streamed answer (`exec`) until it is read or abandoned. A file asks for hundreds of
 * streamed answers, one after another; together they use at most half of the places that all reads share. An abandoned query leaves the
 * queue; one that is running keeps its place until the engine has ended it, which is when the client's own promise settles. Writes don't
 * count: they belong to the sync, which has its own turns.
 * @param atATime most questions that the engine may run for this process
 */
export function readFairly(client: ClickHouseClient, atATime: number): ClickHouseClient {
  const half = placesOfOne(atATime)
  const reads = createFairShare({
    places: atATime,
    perTenant: half,
    waitingPerTenant,
    reserved: { tenant: serverTenant, places: reservedForServer(atATime) },
    byTime: { ...slowness, perTenant: Math.max(1, Math.floor(atATime / 4)) },
  })
  const answering = createFairShare({ places: half, perTenant: Math.max(1, Math.floor(half / 2)) })
  const streamed = createFairStreams(streams)
  const query = client.query.bind(client)
  const exec = client.exec.bind(client)
  return Object.assign(Object.create(client) as ClickHouseClient, {
    query: ((params) => {
      const signal = params.abort_signal ?? abandonedNow()
      const asked = signal ? { ...params, abort_signal: signal } : params
      const answer = inLine((begun) => {
        const ask = () => {
          begun()
          return query(asked)
        }
        return reads.run(tenantNow(), ask, { ...optionsNow(), signal })
      })
      return answer.catch((error: unknown) => Promise.reject(reasonFor(signal, error)))
    }) as typeof query,
    exec: (async (params: Parameters<typeof exec>[0]) => {
      const signal = params.abort_signal ?? abandonedNow()
      const asked = signal ? { ...params, abort_signal: signal } : params
      const place = await streamed(tenantNow(), signal)
      try {
        const ask = () => reads.run(tenantNow(), () => exec(asked), { ...ofFile, ...optionsNow(), signal })
        const answer = await answering.run(tenantNow(), ask, { ...optionsNow(), signal })
        const stream = Readable.from(
          place.watch<Buffer>(answer.stream, () =>
            stream.destroy(new Error('This response was read too slowly while others were waiting')),
          ),
          { objectMode: false },
        )
        finished(stream, place.leave)
        return { ...answer, stream }
      } catch (error) {
        place.leave()
        throw reasonFor(signal, error)
      }
    }) as typeof exec,
  })
}
