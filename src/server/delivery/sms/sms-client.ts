import { z } from 'zod'
import type { Config } from '../../config.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import type { Outcome } from '../channels/channel.ts'
import { post } from '../outbound/request.ts'
import { later } from '../outbound/retry-after.ts'
import { meaningOf } from './twilio-errors.ts'

export type SmsClient = {
  /** To an E.164 number. Twilio has no idempotency key: a text whose response got lost may be sent twice. */
  sendText(text: { to: string; body: string; signal: AbortSignal }): Promise<Outcome>
}

/** Twilio refuses longer ones. */
const mostCharacters = 1600

const sent = z.object({ sid: z.string().max(100) })
const refusal = z.object({ code: z.number().int() })

/** Twilio's Messages API (twilio.com/docs/messaging/api/message-resource). */
export function createSmsClient(config: NonNullable<Config['sms']>, clock: Clock = systemClock): SmsClient {
  const { accountSid, authToken, from, apiUrl } = config
  const url = new URL(`${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`)
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const sender = /^MG[0-9a-f]{32}$/.test(from) ? { MessagingServiceSid: from } : { From: from }

  return {
    async sendText({ to, body, signal }) {
      const text = [...body].slice(0, mostCharacters).join('')
      const posted = await post({
        url,
        headers: { authorization, accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ To: to, ...sender, Body: text }).toString(),
        // The operator configured it.
        reach: 'any',
        signal,
      })
      if (posted.kind !== 'answer') {
        return { outcome: 'later', reason: `The SMS service ${posted.kind === 'failed' ? posted.what : 'could not be reached'}.` }
      }
      const { status, retryAfter } = posted
      const answer = parseJson(posted.body)
      if (status >= 200 && status < 300) {
        const { data } = sent.safeParse(answer)
        return { outcome: 'sent', ...(data && { reference: data.sid }) }
      }
      return outcomeOf(status, refusal.safeParse(answer).data?.code ?? null, retryAfter, clock.now())
    },
  }
}

function outcomeOf(status: number, code: number | null, retryAfter: string | null, now: Date): Outcome {
  const named = code === null ? `${status}` : `${code}`
  const meaning = code === null ? undefined : meaningOf(code)
  if (meaning?.kind === 'number') return { outcome: 'refused', reason: `${meaning.says} (${code})`, disables: true }
  // 21611: too many are queued already.
  if (status === 429 || code === 20429 || code === 21611)
    return later(`The SMS service isn't accepting more messages right now (${named}).`, retryAfter, now)
  if (meaning?.kind === 'account' || status === 401 || status === 403)
    return later(`The problem is this installation's SMS account, not your number. Tell your administrator (${named}).`, retryAfter, now)
  if (status >= 400 && status < 500 && status !== 408)
    return { outcome: 'refused', reason: `The SMS service rejected the message (${named}).`, disables: false }
  return later(`The SMS service couldn't accept the message (${named}).`, retryAfter, now)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
