import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { API_VERSION } from './options.ts'

export const message = z.object({
  sid: z.string(),
  accountSid: z.string(),
  direction: z.enum(['inbound', 'outbound-api', 'outbound-reply']),
  /** null: a messaging service has yet to choose one. */
  from: z.string().nullable(),
  to: z.string(),
  body: z.string(),
  segments: z.number().int(),
  status: z.enum(['accepted', 'queued', 'sent', 'delivered', 'undelivered', 'failed', 'received']),
  errorCode: z.number().int().nullable(),
  errorMessage: z.string().nullable(),
  messagingServiceSid: z.string().nullable(),
  statusCallback: z.string().nullable(),
  created: z.number(),
  updated: z.number(),
  sent: z.number().nullable(),
})

export type Message = z.output<typeof message>

/** Twilio's ids: two letters and 32 hexadecimal digits. */
export function newSid(prefix: 'SM' | 'RQ'): string {
  return prefix + randomBytes(16).toString('hex')
}

/** RFC 2822, as in `Wed, 15 Jul 2026 19:00:00 +0000`. */
export function twilioDate(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000')
}

/** Price of a segment in US dollars. */
const PRICE = 0.0083

export function messageUri({ accountSid, sid }: Pick<Message, 'accountSid' | 'sid'>): string {
  return `/${API_VERSION}/Accounts/${accountSid}/Messages/${sid}.json`
}

/** The resource as Twilio writes it: numbers as text, dates as RFC 2822. */
export function resourceOf(each: Message): object {
  const uri = messageUri(each)
  return {
    account_sid: each.accountSid,
    api_version: API_VERSION,
    body: each.body,
    date_created: twilioDate(each.created),
    date_sent: each.sent === null ? null : twilioDate(each.sent),
    date_updated: twilioDate(each.updated),
    direction: each.direction,
    error_code: each.errorCode,
    error_message: each.errorMessage,
    from: each.from,
    messaging_service_sid: each.messagingServiceSid,
    num_media: '0',
    num_segments: String(each.from === null ? 0 : each.segments),
    price: each.sent === null ? null : (-PRICE * each.segments).toFixed(5),
    price_unit: 'USD',
    sid: each.sid,
    status: each.status,
    subresource_uris: { media: uri.replace(/\.json$/, '/Media.json') },
    to: each.to,
    uri,
  }
}
