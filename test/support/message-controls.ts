import { z } from 'zod'
import type { WebhookStandIn } from '../../emulators/webhook/server.ts'
import { until } from './until.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The response to the next calls (the stand-ins' READMEs list all fields). */
export type CallFault = {
  error?: string
  code?: number
  status?: number
  body?: string
  retryAfter?: number
  redirect?: string
  bytes?: number
  dripMs?: number
  delayMs?: number
  hang?: boolean
  connectionReset?: boolean
  executed?: boolean
  times?: number
  seconds?: number
  after?: number
  match?: string
}

function callerOf(url: string) {
  return async (method: Method, path: string, body?: object | null): Promise<unknown> => {
    const response = await fetch(`${url}/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
}

const faultsOf = (call: ReturnType<typeof callerOf>) => ({
  call,
  fail: (fault: CallFault) => call('POST', '_control/fail', fault),
  stopFailing: () => call('DELETE', '_control/fail'),
  reset: () => call('POST', '_control/reset'),
})

/** Waits for at least one, and returns the newest. */
const arrived = async <T>(list: () => Promise<T[]>): Promise<T> => {
  const [newest] = await until(list, (all) => all.length > 0)
  if (newest === undefined) throw new Error('nothing arrived')
  return newest
}

const slackMessage = z.object({
  hook: z.string(),
  channel: z.string().nullable(),
  text: z.string().nullable(),
  blocks: z.array(z.record(z.string(), z.unknown())).nullable(),
  shown: z.object({
    text: z.string(),
    links: z.array(z.object({ url: z.string(), text: z.string() })),
    mentions: z.array(z.string()),
  }),
})

/** The Slack stand-in (emulators/slack/README.md), over the network. */
export function createSlackControl(url: string) {
  const call = callerOf(url)
  const messages = async (hook?: string) =>
    z.object({ messages: z.array(slackMessage) }).parse(await call('GET', `messages${hook === undefined ? '' : `?hook=${hook}`}`)).messages
  return {
    url,
    ...faultsOf(call),
    /** The URL of a working webhook, given its `T…/B…/…`. */
    hookUrl: (hook = 'T00000001/B00000001/abcdefghijklmnopqrstuvwx') => `${url}/services/${hook}`,
    /** Newest first. */
    messages,
    /** Waits for a message, and returns the newest. */
    message: () => arrived(() => messages()),
    setHook: (hook: string, state: 'active' | 'archived' | 'revoked' | 'channelMissing' | 'prohibited') =>
      call('PUT', '_control/hooks', { hook, state }),
    clear: () => call('DELETE', '_control/messages'),
    requests: async () =>
      z
        .object({ last: z.array(z.object({ at: z.string(), method: z.string(), path: z.string(), status: z.number() })) })
        .parse(await call('GET', '_control/requests?last=100')).last,
  }
}
export type SlackControl = ReturnType<typeof createSlackControl>

const textMessage = z.object({ sid: z.string(), to: z.string(), from: z.string().nullable(), body: z.string() })

/** The SMS stand-in (emulators/sms/README.md), over the network. */
export function createSmsControl(url: string) {
  const call = callerOf(url)
  const messages = async (number?: string) =>
    z
      .object({ messages: z.array(textMessage) })
      .parse(await call('GET', `messages${number === undefined ? '' : `?number=${encodeURIComponent(number)}`}`)).messages
  return {
    url,
    ...faultsOf(call),
    /** Newest first. */
    messages,
    /** Waits for a text message to a number, and returns the newest. */
    messageTo: (number: string) => arrived(() => messages(number)),
    setNumber: (number: string, error: number | null) => call('PUT', '_control/numbers', { number, error }),
    clear: () => call('DELETE', '_control/messages'),
  }
}
export type SmsControl = ReturnType<typeof createSmsControl>

const received = z.object({
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string(),
  bodyBase64: z.string(),
  status: z.number(),
})

/** The webhook stand-in (emulators/webhook/README.md), over the network. */
export function createWebhookControl({ url, hookUrl }: WebhookStandIn) {
  const call = callerOf(url)
  const messages = async () => z.object({ messages: z.array(received) }).parse(await call('GET', 'messages')).messages
  return {
    url,
    hookUrl,
    ...faultsOf(call),
    /** Newest first. */
    messages,
    message: () => arrived(messages),
    /** The maximum number of concurrent requests since the last `clear`. */
    mostUnderWay: async () => z.object({ mostUnderWay: z.number() }).parse(await call('GET', '_control/state')).mostUnderWay,
    /** The response from now on. */
    answer: (answer: CallFault) => call('PUT', '_control/answer', answer),
    clear: () => call('DELETE', '_control/messages'),
  }
}
export type WebhookControl = ReturnType<typeof createWebhookControl>
