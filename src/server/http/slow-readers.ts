import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../common/errors.ts'
import { requesterNow } from '../platform/tenant.ts'
import { limitHeld, type MostHeld } from '../common/held-bytes.ts'
import { onResponseEnd } from '../common/on-response-end.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/**
 * The minimum of an answer that a connection must take while more is waiting. Seen from here, a connection to a proxy on this machine
 * advances in steps of up to two megabytes, which even the slowest phone takes within these minutes.
 */
const leastTaken = { bytes: 256 * kibibyte, ms: 5 * 60_000 }

/** Number of checks during that time. */
const looks = 10

/** Bytes of answers in memory until they are read. A requester is a user or, for visitors, a network. */
const mostUnread: MostHeld = { perRequester: 64 * mebibyte, together: 256 * mebibyte }

/** Shorter answers aren't counted in bytes: a requester has only so many in progress (in-progress.ts). */
const shortest = 4 * kibibyte

const tooManyUnderWay = 'You already have several large downloads in progress. Wait until they finish, then try again.'
const tooBusy = 'Too many large downloads are in progress right now. Please try again in a minute.'

/**
 * Ends answers that are hardly read: a byte now and then keeps their sources, of which there are few (platform/fair-reads.ts), or holds
 * whole answers in memory, on any number of connections. Until then, answers in memory are limited in bytes.
 */
export function endSlowReaders(app: FastifyInstance, least = leastTaken, most = mostUnread): void {
  const hold = limitHeld(most)
  const watch = endUnlessTaken(app, least)
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = request.method === 'HEAD' ? 0 : lengthOf(payload)
    if (bytes >= shortest) {
      const unread = hold(requesterNow(), () => breakOff(reply.raw))
      const held = unread.more(bytes)
      if (held !== 'held') return done(new Refusal(429, held === 'too many' ? tooManyUnderWay : tooBusy))
      onResponseEnd(reply.raw, unread.forget)
    }
    if (payload !== null && payload !== undefined) watch(reply.raw)
    done(null, bytes > least.bytes ? inPieces(reply, payload as string | Buffer) : payload)
  })
}

/** Bytes of an answer that is complete in memory. */
const lengthOf = (payload: unknown): number =>
  typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0

const pieceBytes = 64 * kibibyte

/** A single chunk is taken whole or not at all, without showing how much of it was. */
function inPieces(reply: FastifyReply, payload: string | Buffer): Readable {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  void reply.header('content-length', bytes.length)
  function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  return Readable.from(pieces(), { highWaterMark: 1 })
}

type Watched = { taken: number; vain: number }

/** Watches answers until they are over: one of which too little is taken is ended. */
function endUnlessTaken(app: FastifyInstance, { bytes, ms }: typeof leastTaken): (answer: ServerResponse) => void {
  const monitored = new Map<ServerResponse, Watched>()
  const takenUntilNow = ({ req: { socket } }: ServerResponse): number => socket.bytesWritten - socket.writableLength

  // Counts checks, not time: while this process or its machine is suspended, nobody can take anything.
  const look = setInterval(() => {
    for (const [answer, one] of monitored) {
      const now = takenUntilNow(answer)
      if (answer.writableLength === 0 || now - one.taken >= bytes) Object.assign(one, { taken: now, vain: 0 })
      else if (++one.vain === looks) breakOff(answer)
    }
  }, ms / looks)
  look.unref()
  app.addHook('onClose', async () => clearInterval(look))

  return (answer) => {
    monitored.set(answer, { taken: takenUntilNow(answer), vain: 0 })
    onResponseEnd(answer, () => monitored.delete(answer))
  }
}

function breakOff(answer: ServerResponse): void {
  answer.req.socket.destroy()
  // A connection taken over (CONNECT) doesn't end what is still waiting to be sent on it.
  answer.destroy()
}
