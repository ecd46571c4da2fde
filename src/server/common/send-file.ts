import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { createFairStreams } from '../platform/clickhouse/fair-streams.ts'
import { attachment } from '../platform/file-names.ts'
import { abandonedNow, tenantNow } from '../platform/tenant.ts'
import { onResponseEnd } from './on-response-end.ts'

/** A CSV file in pieces, produced as fast as it is read. */
export type CsvFile = { fileName: string; pieces: AsyncIterable<string> }

/** Route options for a file, which reads everything there is. */
export const download = { limit: { max: 30 } }

/** While a file is sent, thousands of its rows stay in memory, however slowly the reader takes them. */
const underWay = createFairStreams({ places: 32, perTenant: 2, perNetwork: 8, waitingPerTenant: 30 })

/**
 * Sends a file as fast as it is read; if the reader goes away, production stops. A user's third file waits for one of the first two, whether
 * requested on screen or through the API; and the ninth on one network for one of the first eight.
 * @throws TooManyRequests
 */
export async function sendFile(reply: FastifyReply, { fileName, pieces }: CsvFile): Promise<FastifyReply> {
  const place = await underWay(tenantNow(), abandonedNow())
  const file = Readable.from(
    place.watch(pieces, () => reply.raw.destroy()),
    { highWaterMark: 1 },
  )
  onResponseEnd(reply.raw, () => {
    place.leave()
    file.destroy()
  })
  return reply.type('text/csv; charset=utf-8').header('content-disposition', attachment(fileName)).send(file)
}
