import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable, Stream } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { importEndpoints } from '../../contract/import.ts'
import { Refusal } from '../common/errors.ts'
import { requesterNow } from '../platform/tenant.ts'
import { answerClientError } from './framework-errors.ts'

const second = 1000
const minute = 60 * second

/** These receive whole files, over connections of any speed. */
const uploads: readonly string[] = Object.values(importEndpoints).map(({ path }) => path)
/** Any other body is at most a megabyte. */
const bodyMs = 30 * second

/**
 * How long one connection may occupy this server. Sending or reading a byte now and then holds a place at no cost (slow loris), so each
 * part of a request has a limit.
 */
export const patience = {
  /** From its first byte to its last; sized for uploads. */
  requestTimeout: 60 * minute,
  /** Without a byte in either direction, for an answer nobody reads. Longer than any answer takes. */
  connectionTimeout: 30 * minute,
  http: { headersTimeout: 20 * second, connectionsCheckingInterval: 5 * second },
} as const

/** Most connections; further ones are closed at once, before they cost memory. A process can open about as many files. */
export const mostConnections = 10_000

const tooSlow = Object.assign(new Error('The request took too long to arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
const tooManyPieces = Object.assign(new Error('The request arrived in too many small pieces'), { code: 'TOO_MANY_PIECES' })

/** A body may have a piece per so many bytes, and this many more: packets and chunks of ordinary clients are far longer. */
const bodyPieces = { most: 1_000, bytesEach: 64 }

/**
 * The least a connection has to take of a streamed answer while more is waiting. To us, a connection to a proxy on this machine advances in
 * steps of up to two megabytes, which even the slowest phone takes in these minutes.
 */
const leastTaken = { bytes: 256 * 1024, ms: 5 * minute }

/** Number of checks during that time. */
const looks = 10

/** Bytes of long responses in progress to one user or, for visitors, one network. A single one may be longer. */
const mostUnderWay = 64 * 1024 * 1024
const tooManyUnderWay = 'You already have several large downloads in progress. Wait until they finish, then try again.'

const isUpload = (url: string | undefined): boolean => url !== undefined && uploads.includes(url)

/** Ends requests whose body doesn't arrive in time; for file uploads, only after the answer. */
export function endSlowBodies(app: FastifyInstance, ms = bodyMs): void {
  app.addHook('onRequest', async ({ raw, routeOptions: { url } }) => {
    const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    // Injected requests have no connection.
    if (!hasBody || isUpload(url) || !(raw.socket instanceof Socket)) return
    const end = endWith(raw)
    unlessComplete(raw, ms, () => end(tooSlow))
  })
  // A refused upload need not be sent to its end. What arrives meanwhile is accepted, or the sender wouldn't see why.
  app.addHook('onResponse', async ({ raw, routeOptions: { url } }) => {
    if (isUpload(url)) unlessComplete(raw, ms, () => raw.socket.destroySoon())
  })
}

/**
 * Ends requests whose body arrives in tiny pieces (chunks of a byte each): until the last one arrives, each takes hundreds of bytes of
 * memory, so a megabyte would take hundreds. Uploads are written to disk as they arrive.
 */
export function endBodiesInPieces(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw, routeOptions: { url } }, _reply, body, done) => {
    if (!isUpload(url) && raw.socket instanceof Socket) {
      const end = endWith(raw)
      let left: number = bodyPieces.most
      const count = (piece: Buffer): void => {
        left += piece.length / bodyPieces.bytesEach - 1
        if (left >= 0) return
        body.off('data', count)
        end(tooManyPieces)
      }
      body.on('data', count)
    }
    // At once: what arrives before somebody reads the body would be lost.
    done(null, body)
  })
}

/** Ends a request's connection: with an answer as for requests that can't be read, but not in the middle of another answer. */
function endWith({ socket }: IncomingMessage): (reason: Error) => void {
  const written = socket.bytesWritten
  return (reason) => {
    if (socket.bytesWritten === written) answerClientError(reason, socket)
    socket.destroySoon()
  }
}

function unlessComplete(request: IncomingMessage, ms: number, end: () => void): void {
  if (request.complete || request.destroyed) return
  const late = setTimeout(() => {
    if (!request.complete) end()
  }, ms)
  late.unref()
  request.once('close', () => clearTimeout(late))
}

/**
 * Ends answers that are hardly read: a byte now and then keeps their sources, of which there are few (platform/fair-reads.ts), or holds
 * whole answers in memory, on any number of connections. Until then, one user's long responses are limited in bytes.
 */
export function endSlowReaders(app: FastifyInstance, least = leastTaken, most = mostUnderWay): void {
  const holdInMemory = limitUnderWay(most)
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > least.bytes
    const held = isLong && request.method !== 'HEAD' ? bytesOf(payload) : null
    if (held !== null && !holdInMemory(held.length, reply.raw)) return done(new Refusal(429, tooManyUnderWay))
    const sent = held === null ? payload : inPieces(reply, held)
    if (sent instanceof Stream) endUnlessTaken(reply.raw, least)
    done(null, sent)
  })
}

const bytesOf = (payload: string | Buffer): Buffer => (typeof payload === 'string' ? Buffer.from(payload) : payload)

/** Counts the bytes held in memory for whoever gets a response until it has been read; returns false if there is no room for them. */
function limitUnderWay(most: number) {
  const underWay = new Map<string, number>()
  return (bytes: number, answer: ServerResponse): boolean => {
    const requester = requesterNow()
    const before = underWay.get(requester) ?? 0
    if (before > 0 && before + bytes > most) return false
    underWay.set(requester, before + bytes)
    answer.once('close', () => {
      const rest = (underWay.get(requester) ?? 0) - bytes
      if (rest > 0) underWay.set(requester, rest)
      else underWay.delete(requester)
    })
    return true
  }
}

const pieceBytes = 64 * 1024

/** A single chunk is taken whole or not at all, without showing how much of it was. */
function inPieces(reply: FastifyReply, bytes: Buffer): Readable {
  void reply.header('content-length', bytes.length)
  function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  return Readable.from(pieces(), { highWaterMark: 1 })
}

function endUnlessTaken(answer: ServerResponse, { bytes, ms }: typeof leastTaken): void {
  const { socket } = answer.req
  const takenUntilNow = (): number => socket.bytesWritten - socket.writableLength
  let taken = takenUntilNow()
  // Counts checks, not time: while this process or its machine is suspended, nobody can take anything.
  let vain = 0
  const look = setInterval(() => {
    const now = takenUntilNow()
    if (answer.writableLength === 0 || now - taken >= bytes) {
      taken = now
      vain = 0
    } else if (++vain === looks) {
      socket.destroy()
      // A connection taken over (CONNECT) doesn't end what still waits to be sent on it.
      answer.destroy()
    }
  }, ms / looks)
  look.unref()
  answer.once('close', () => clearInterval(look))
}
