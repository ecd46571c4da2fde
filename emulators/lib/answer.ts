import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'

const count = z.number().int().nonnegative()

/** What tests may ask a stand-in to answer; README.md of each says what the fields do. */
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
 * Answers as told. Settles early when the other side gives up.
 * @param fallback the status where none was told and it is no redirect
 * @returns the status that was answered, 0 for none
 */
export async function give(response: ServerResponse, told: Answer, fallback: number): Promise<number> {
  if (told.delayMs > 0) await pause(told.delayMs)
  if (told.connectionReset) {
    response.socket?.resetAndDestroy()
    return 0
  }
  if (told.hang) return 0
  const status = told.status ?? (told.redirect === undefined ? fallback : 307)
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(told.redirect === undefined ? {} : { location: told.redirect }),
    ...(told.retryAfter === undefined ? {} : { 'retry-after': String(told.retryAfter) }),
    ...told.headers,
  })
  // The other side may stop listening to a body that never ends.
  response.on('error', () => {})
  if (told.dripMs !== undefined) await drip(response, told.bytes === undefined ? (told.body ?? '') : 'x'.repeat(told.bytes), told.dripMs)
  else if (told.bytes !== undefined) await pour(response, told.bytes)
  else response.write(told.body ?? '')
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

/** A large body, as fast as it is taken. */
async function pour(response: ServerResponse, bytes: number): Promise<void> {
  const closed = once(response, 'close')
  for (let left = bytes; left > 0 && !response.destroyed; left -= CHUNK.length) {
    if (!response.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)))) await Promise.race([once(response, 'drain'), closed])
  }
}
