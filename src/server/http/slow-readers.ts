import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../common/errors.ts'
import { requesterNow } from '../platform/tenant.ts'
import { whenOver } from '../common/when-over.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/**
 * The least a connection has to take of an answer while more is waiting. To us, a connection to a proxy on this machine advances in steps
 * of up to two megabytes, which even the slowest phone takes in these minutes.
 */
const leastTaken = { bytes: 256 * kibibyte, ms: 5 * 60_000 }

/** Number of checks during that time. */
const looks = 10

/** Bytes of answers in memory until they are read: for one user or, for visitors, one network, and for everybody together. */
type MostUnread = { perRequester: number; together: number }
const mostUnread: MostUnread = { perRequester: 64 * mebibyte, together: 256 * mebibyte }

/** Shorter answers aren't counted in bytes: a requester has only so many in progress (in-progress.ts). */
const shortest = 4 * kibibyte

const tooManyUnderWay = 'You already have several large downloads in progress. Wait until they finish, then try again.'
const tooBusy = 'Too many large downloads are in progress right now. Please try again in a minute.'

/**
 * Ends answers that are hardly read: a byte now and then keeps their sources, of which there are few (platform/fair-reads.ts), or holds
 * whole answers in memory, on any number of connections. Until then, answers in memory are limited in bytes.
 */
export function endSlowReaders(app: FastifyInstance, least = leastTaken, most = mostUnread): void {
  const hold = holdInMemory(most)
  const watch = endUnlessTaken(app, least)
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = request.method === 'HEAD' ? 0 : lengthOf(payload)
    const refusal = bytes < shortest ? null : hold(bytes, reply.raw)
    if (refusal !== null) return done(new Refusal(429, refusal))
    if (payload !== null && payload !== undefined) watch(reply.raw)
    done(null, bytes > least.bytes ? inPieces(reply, payload as string | Buffer) : payload)
  })
}

/** Bytes of an answer that is complete in memory. */
const lengthOf = (payload: unknown): number =>
  typeof payload === 'string' ? Buffer.byteLength(payload) : Buffer.isBuffer(payload) ? payload.length : 0

type Unread = { bytes: number; answers: Map<ServerResponse, () => void> }

/**
 * Counts the bytes held in memory for whoever gets an answer until it has been read; returns why there is no room for them. At the limit for
 * everybody together, whoever holds the most makes room for those who hold less: their oldest answers break off.
 */
function holdInMemory(most: MostUnread): (bytes: number, answer: ServerResponse) => string | null {
  const unread = new Map<string, Unread>()
  let together = 0

  const isRoomFor = (bytes: number): boolean => together === 0 || together + bytes <= most.together

  function makeRoom(bytes: number, own: number): boolean {
    while (!isRoomFor(bytes)) {
      const [largest] = [...unread.values()].toSorted((a, b) => b.bytes - a.bytes)
      const oldest = largest?.answers.entries().next().value
      if (!largest || !oldest || largest.bytes <= own + bytes) return false
      const [answer, forget] = oldest
      forget()
      breakOff(answer)
    }
    return true
  }

  return (bytes, answer) => {
    const requester = requesterNow()
    const own = unread.get(requester)?.bytes ?? 0
    if (own > 0 && own + bytes > most.perRequester) return tooManyUnderWay
    if (!makeRoom(bytes, own)) return tooBusy
    const held = unread.get(requester) ?? { bytes: 0, answers: new Map<ServerResponse, () => void>() }
    unread.set(requester, held)
    held.bytes += bytes
    together += bytes
    const forget = (): void => {
      if (!held.answers.delete(answer)) return
      held.bytes -= bytes
      together -= bytes
      if (held.answers.size === 0 && unread.get(requester) === held) unread.delete(requester)
    }
    held.answers.set(answer, forget)
    whenOver(answer, forget)
    return null
  }
}

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
  const watched = new Map<ServerResponse, Watched>()
  const takenUntilNow = ({ req: { socket } }: ServerResponse): number => socket.bytesWritten - socket.writableLength

  // Counts checks, not time: while this process or its machine is suspended, nobody can take anything.
  const look = setInterval(() => {
    for (const [answer, one] of watched) {
      const now = takenUntilNow(answer)
      if (answer.writableLength === 0 || now - one.taken >= bytes) Object.assign(one, { taken: now, vain: 0 })
      else if (++one.vain === looks) breakOff(answer)
    }
  }, ms / looks)
  look.unref()
  app.addHook('onClose', async () => clearInterval(look))

  return (answer) => {
    watched.set(answer, { taken: takenUntilNow(answer), vain: 0 })
    whenOver(answer, () => watched.delete(answer))
  }
}

function breakOff(answer: ServerResponse): void {
  answer.req.socket.destroy()
  // A connection taken over (CONNECT) doesn't end what still waits to be sent on it.
  answer.destroy()
}
