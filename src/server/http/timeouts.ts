import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { importEndpoints } from '../../contract/import.ts'
import { limitHeld, type MostHeld } from '../common/held-bytes.ts'
import { onResponseEnd } from '../common/on-response-end.ts'
import { requesterNow } from '../platform/tenant.ts'
import { answerClientError } from './framework-errors.ts'

const second = 1000
const minute = 60 * second
const mebibyte = 1024 * 1024

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

/** Maximum number of connections; further ones are closed at once, before they cost memory. A process can open about as many files. */
export const mostConnections = 10_000

const tooSlow = Object.assign(new Error('The request took too long to arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
const tooManyPieces = Object.assign(new Error('The request arrived in too many small pieces'), { code: 'TOO_MANY_PIECES' })

/** A body may have one piece per this many bytes, plus this many more: packets and chunks of ordinary clients are far longer. */
const bodyPieces = { most: 1_000, bytesEach: 64 }

const tooManyBodies = Object.assign(new Error('Too many large requests are arriving at once'), { code: 'TOO_MANY_BODIES' })

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

/** Bytes of bodies in memory, until their requests are answered. The largest form has some hundred kilobytes. */
const mostReceived: MostHeld = { perRequester: 16 * mebibyte, together: 64 * mebibyte }

/**
 * Ends requests whose bodies hold too much memory. One that arrives in tiny pieces (chunks of a byte each) takes hundreds of bytes for each
 * until the last one arrives, so a megabyte would take hundreds; and hundreds of bodies of a megabyte may lack just their last byte. Uploads
 * are written to disk as they arrive.
 */
export function endLargeBodies(app: FastifyInstance, most = mostReceived): void {
  const hold = limitHeld(most)
  app.addHook('preParsing', ({ raw, routeOptions: { url } }, reply, body, done) => {
    if (!isUpload(url) && raw.socket instanceof Socket) {
      const end = endWith(raw)
      const received = hold(requesterNow(), () => end(tooManyBodies))
      onResponseEnd(reply.raw, received.forget)
      let left: number = bodyPieces.most
      const count = (piece: Buffer): void => {
        left += piece.length / bodyPieces.bytesEach - 1
        const isHeld = received.more(piece.length) === 'held'
        if (left >= 0 && isHeld) return
        body.off('data', count)
        end(isHeld ? tooManyPieces : tooManyBodies)
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
