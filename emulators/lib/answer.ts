import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

const count = z.number().int().nonnegative()

/** What tests can make a stand-in respond; each README.md explains the fields. */
export const answerShape = {
  status: z.number().int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
  retryAfter: count.optional(),
  redirect: z.string().optional(),
  delayMs: count.default(0),
  bytes: count.optional(),
  dripMs: count.optional(),
  hang: z.boolean().default(false),
  connectionReset: z.boolean().default(false),
}

const answer = z.object(answerShape)
export type Answer = z.output<typeof answer>

const CHUNK = Buffer.alloc(64 * 1024, 'x')

/**
 * Responds as instructed. Settles early if the other side gives up.
 * @param fallback the status if none was specified and it isn't a redirect
 * @returns the status sent, 0 for none
 */
export async function give(response: ServerResponse, wanted: Answer, fallback: number): Promise<number> {
  if (wanted.delayMs > 0) await pause(wanted.delayMs)
  if (wanted.connectionReset) {
    response.socket?.resetAndDestroy()
    return 0
  }
  if (wanted.hang) return 0
  const status = wanted.status ?? (wanted.redirect === undefined ? fallback : 307)
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(wanted.redirect === undefined ? {} : { location: wanted.redirect }),
    ...(wanted.retryAfter === undefined ? {} : { 'retry-after': String(wanted.retryAfter) }),
    ...wanted.headers,
  })
  // The other side may stop reading an endless body.
  response.on('error', () => {})
  if (wanted.dripMs !== undefined)
    await drip(response, wanted.bytes === undefined ? (wanted.body ?? '') : 'x'.repeat(wanted.bytes), wanted.dripMs)
  else if (wanted.bytes !== undefined) await pour(response, wanted.bytes)
  else response.write(wanted.body ?? '')
  response.end()
  return status
}

/** One byte at a time. */
async function drip(response: ServerResponse, body: string, ms: number): Promise<void> {
  response.flushHeaders()
  for (const byte of Buffer.from(body)) {
    await pause(ms)
    if (response.destroyed) return
    response.write(Buffer.of(byte))
  }
}

/** A large body, as fast as it is read. */
async function pour(response: ServerResponse, bytes: number): Promise<void> {
  const closed = once(response, 'close')
  for (let left = bytes; left > 0 && !response.destroyed; left -= CHUNK.length) {
    if (!response.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)))) await Promise.race([once(response, 'drain'), closed])
  }
}
