import { timingSafeEqual } from 'node:crypto'
import type { Outcome } from '../lib/api-call.ts'
import { type Call, json } from '../lib/http.ts'
import { TwilioFailure } from './errors.ts'
import { listMessages } from './list.ts'
import { newSid, resourceOf } from './message.ts'
import { API_VERSION } from './options.ts'
import { sendMessage } from './send.ts'
import type { World } from './world.ts'

export const API_PREFIX = `/${API_VERSION}/`

const PATH = new RegExp(`^/${API_VERSION}/Accounts/([^/]+?)(?:/(Messages)(?:/([^/]+))?)?\\.json$`)

function same(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function checkLogin(world: World, { headers }: Call): void {
  const encoded = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  if (same(Buffer.from(encoded, 'base64').toString('utf8'), `${world.accountSid}:${world.authToken}`)) return
  throw new TwilioFailure(20003, {}, { 'www-authenticate': 'Basic realm="Twilio API"' })
}

/** Answers `call` like api.twilio.com. */
function answer(world: World, call: Call): Outcome['reply'] {
  checkLogin(world, call)
  const wait = world.limit.take('')
  if (wait > 0) throw new TwilioFailure(20429, {}, { 'retry-after': String(wait) })
  const path = call.url.pathname
  const [, account, area, sid] = PATH.exec(path) ?? []
  if (account !== world.accountSid) throw new TwilioFailure(20404, { path })
  if (area === undefined) {
    if (call.method !== 'GET') throw new TwilioFailure(20004)
    return json(200, accountOf(world))
  }
  if (sid === undefined) {
    if (call.method === 'POST') return json(201, resourceOf(sendMessage(world, new URLSearchParams(call.body))))
    if (call.method === 'GET') return json(200, listMessages(world, call.url))
    throw new TwilioFailure(20004)
  }
  if (call.method !== 'GET') throw new TwilioFailure(20004)
  const message = world.store.get(sid)
  if (!message) throw new TwilioFailure(20404, { path })
  return json(200, resourceOf(message))
}

function accountOf(world: World): object {
  return {
    sid: world.accountSid,
    friendly_name: 'Local stand-in',
    status: 'active',
    type: world.verified === null ? 'Full' : 'Trial',
    uri: `/${API_VERSION}/Accounts/${world.accountSid}.json`,
  }
}

export function handleApi(world: World, call: Call): Outcome {
  const id = { 'twilio-request-id': newSid('RQ'), 'twilio-concurrent-requests': '1' }
  try {
    const reply = answer(world, call)
    return { reply: { ...reply, headers: { ...reply.headers, ...id } } }
  } catch (error) {
    if (!(error instanceof TwilioFailure)) throw error
    return { reply: { ...error.reply, headers: { ...error.reply.headers, ...id } }, problem: error.message }
  }
}
