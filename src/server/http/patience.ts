import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable, Stream } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { importEndpoints } from '../../contract/import.ts'
import { answerClientError } from './framework-errors.ts'

const second = 1000
const minute = 60 * second

/** Whole files come over these, from lines of any speed. */
const uploads: readonly string[] = Object.values(importEndpoints).map(({ path }) => path)
/** Any other body is at most a megabyte. */
const bodyMs = 30 * second

/**
 * How long one connection may take up this server. Whoever sends or reads a byte now and then holds a place that costs
 * them nothing (slow loris), so each part of a request has an end.
 */
export const patience = {
  /** From its first byte to its last, which is an upload's. */
  requestTimeout: 60 * minute,
  /** Without a byte in either direction, of an answer that nobody reads. Longer than anything takes to answer. */
  connectionTimeout: 30 * minute,
  http: { headersTimeout: 20 * second, connectionsCheckingInterval: 5 * second },
} as const

/** Connections at a time; more are closed at once, before they cost memory. A process has about as many files to open. */
export const mostConnections = 10_000

const tooSlow = Object.assign(new Error('The request took too long to arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/**
 * What a line has to take of an answer that is made while it is read, as long as more of it waits. To us a connection to
 * a proxy on this machine moves in steps of up to two megabytes, which the slowest phone takes in these minutes.
 */
const leastTaken = { bytes: 256 * 1024, ms: 5 * minute }

/** How often that is looked at meanwhile. */
const looks = 10

const isUpload = (url: string | undefined): boolean => url !== undefined && uploads.includes(url)

/** Ends requests whose body does not arrive in time; where whole files are sent, only after the answer. */
export function endSlowBodies(app: FastifyInstance, ms = bodyMs): void {
  app.addHook('onRequest', async ({ raw, routeOptions: { url } }) => {
    const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    // What is handed over within the process comes over no line.
    if (!hasBody || isUpload(url) || !(raw.socket instanceof Socket)) return
    const written = raw.socket.bytesWritten
    unlessComplete(raw, ms, () => {
      // As what comes too slowly is answered before it is a request, but not in the middle of an answer.
      if (raw.socket.bytesWritten === written) answerClientError(tooSlow, raw.socket)
      raw.socket.destroySoon()
    })
  })
  // Whoever is turned away need not send a file to the end. What they have sent meanwhile is let come, or they would not
  // see why.
  app.addHook('onResponse', async ({ raw, routeOptions: { url } }) => {
    if (isUpload(url)) unlessComplete(raw, ms, () => raw.socket.destroySoon())
  })
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
 * Ends answers that hardly anything is taken of: whoever reads a byte now and then keeps what they are made from, of
 * which there are few (platform/fair-reads.ts), or holds whole answers in memory, on as many connections as they like.
 */
export function endSlowReaders(app: FastifyInstance, least = leastTaken): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > least.bytes
    const sent = isLong && request.method !== 'HEAD' ? inPieces(reply, payload) : payload
    if (sent instanceof Stream) endUnlessTaken(reply.raw, least)
    done(null, sent)
  })
}

const pieceBytes = 64 * 1024

/** What is handed to a connection in one piece is either taken or not: how much of it was, nobody is told. */
function inPieces(reply: FastifyReply, payload: string | Buffer): Readable {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
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
  // Looks, not time: while this process or its machine stands still nobody can take anything.
  let vain = 0
  const look = setInterval(() => {
    const now = takenUntilNow()
    if (answer.writableLength === 0 || now - taken >= bytes) {
      taken = now
      vain = 0
    } else if (++vain === looks) {
      socket.destroy()
      // A connection that was taken over (CONNECT) does not end what still waits to be sent on it.
      answer.destroy()
    }
  }, ms / looks)
  look.unref()
  answer.once('close', () => clearInterval(look))
}
