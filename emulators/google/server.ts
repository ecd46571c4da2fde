import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { CONTROL_PREFIX } from '../lib/control.ts'
import { type Call, encode, json, readCall, type Reply, send } from '../lib/http.ts'
import { listen } from '../lib/listen.ts'
import { notFound } from './api/errors.ts'
import { API_PREFIX, handleApi } from './api/routes.ts'
import { describeCall } from './call-info.ts'
import type { CallInfo } from './control/call-log.ts'
import { answerOf, type FaultName, isFor } from './control/faults.ts'
import { handleControl } from './control/routes.ts'
import { handleAuthorize } from './oauth/authorize.ts'
import { handleRevoke, handleToken } from './oauth/token.ts'
import type { GoogleOptions } from './options.ts'
import { handleDashboard } from './status/dashboard.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

export interface GoogleStandIn {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly port: number
  /** What to configure a client with. */
  readonly oauthUrl: string
  readonly tokenUrl: string
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The day from which incidents count back. */
  readonly anchor: string
  close(): Promise<void>
}

/** Starts the stand-in on 127.0.0.1. Rejects if the port is taken. */
export async function startGoogle(options: GoogleOptions = {}): Promise<GoogleStandIn> {
  const world = createWorld(options)
  // Clients keep connections open between the pages of a result.
  const { url, port, close } = await listen(options.port ?? 0, (request, response) => handle(world, request, response), {
    keepAliveTimeout: 30_000,
  })
  return {
    url,
    port,
    oauthUrl: `${url}/o/oauth2/v2/auth`,
    tokenUrl: `${url}/token`,
    apiUrl: url,
    clientId: world.clientId,
    clientSecret: world.clientSecret,
    anchor: world.anchor,
    close,
  }
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const call = await readCall(request)
  if (call.url.pathname.startsWith(CONTROL_PREFIX)) return send(response, call, await handleControl(world, call))
  const info = describeCall(call)
  const entry = { ...info, at: new Date().toISOString(), method: call.method, path: call.url.pathname, status: 0 }
  // The dashboard is read on its own schedule, and would disturb tests that count a sync's calls.
  if (info.kind === 'status') world.dashboard.asked += 1
  else world.log.add(entry)
  const delay = world.faults.delayFor(info)
  if (delay > 0) await pause(delay)
  const fault = world.faults.take(isFor(info))
  if (fault?.error === 'held') await world.faults.released
  if (!fault || fault.error === 'held') {
    const reply = route(world, call, info)
    entry.status = reply.status
    return send(response, call, reply)
  }
  const error = answerOf(fault, info)
  if (!error) return breakOff(fault.error, response, call, () => route(world, call, info))
  entry.status = error.status
  return send(
    response,
    call,
    typeof error.body === 'string' ? { ...error, body: error.body } : json(error.status, error.body, error.headers),
  )
}

function route(world: World, call: Call, info: CallInfo): Reply {
  switch (info.kind) {
    case 'authorize':
      return handleAuthorize(world, call)
    case 'token':
      return handleToken(world, call)
    case 'revoke':
      return handleRevoke(world, call)
    case 'certs':
      return json(200, world.signer.certs())
    case 'sites':
    case 'query':
      return handleApi(world, call, info)
    case 'status':
      return handleDashboard(world, call.url.pathname)
    case 'unknown': {
      if (call.url.pathname.startsWith(API_PREFIX)) return handleApi(world, call, info)
      const error = notFound()
      return json(error.status, error.body)
    }
  }
}

/** The connection errors. */
async function breakOff(fault: FaultName, response: ServerResponse, call: Call, answer: () => Reply): Promise<void> {
  switch (fault) {
    case 'hang':
      // Never answers; the client has to give up, or the server to close.
      return
    case 'connectionReset':
      response.socket?.resetAndDestroy()
      return
    case 'truncatedClean': {
      const reply = answer()
      return send(response, call, { ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) })
    }
    default: {
      const reply = answer()
      const { bytes, headers } = await encode(call, reply)
      response.writeHead(reply.status, { ...headers, 'content-length': String(bytes.length) })
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
    }
  }
}
