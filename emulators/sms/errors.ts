import { jsonBody, type Reply } from '../lib/http.ts'

/** Placeholders of an error's message. */
export interface About {
  readonly to?: string
  readonly from?: string
  readonly path?: string
  readonly callback?: string
}

type Wording = (about: About) => string

/** Twilio's errors, by code: HTTP status and message (twilio.com/docs/api/errors). */
const ERRORS = {
  20003: [401, () => 'Authenticate'],
  20004: [405, () => 'Method not allowed'],
  20404: [404, ({ path }) => `The requested resource ${path} was not found`],
  20429: [429, () => 'Too Many Requests'],
  20500: [500, () => 'An internal server error has occurred'],
  20503: [503, () => 'Service unavailable'],
  21211: [400, ({ to }) => `Invalid 'To' Phone Number: ${to}`],
  21212: [400, ({ from }) => `The 'From' number ${from} is not a valid phone number, shortcode, or alphanumeric sender ID.`],
  21408: [403, ({ to }) => `Permission to send an SMS has not been enabled for the region indicated by the 'To' number: ${to}.`],
  21602: [400, () => 'Message body is required.'],
  21603: [400, () => "A 'From' phone number is required."],
  21604: [400, () => "A 'To' phone number is required."],
  21606: [
    400,
    ({ from }) => `The From phone number ${from} is not a valid, SMS-capable inbound phone number or short code for your account.`,
  ],
  21608: [
    400,
    ({ to }) =>
      `The number ${to} is unverified. Trial accounts cannot send messages to unverified numbers; verify ${to} at twilio.com/user/account/phone-numbers/verified, or purchase a Twilio number to send messages to unverified numbers.`,
  ],
  21609: [400, ({ callback }) => `The 'StatusCallback' URL ${callback} is not a valid URL.`],
  21610: [400, () => 'Attempt to send to unsubscribed recipient'],
  21611: [429, ({ from }) => `This 'From' number ${from} has exceeded the maximum number of queued messages`],
  21612: [
    400,
    ({ to, from }) => `The 'To' phone number: ${to}, is not currently reachable using the 'From' phone number: ${from} via SMS.`,
  ],
  21614: [400, ({ to }) => `'To' number ${to} is not a valid mobile number`],
  21617: [400, () => 'The concatenated message body exceeds the 1600 character limit'],
  21705: [400, () => 'The Messaging Service Sid is invalid.'],
} satisfies Record<number, readonly [number, Wording]>

export type ErrorCode = keyof typeof ERRORS
export const ERROR_CODES = Object.keys(ERRORS).map(Number) as ErrorCode[]

/** Errors that occur only during delivery, and the final status they lead to. */
export const DELIVERY_ERRORS = {
  30001: ['failed', 'Queue overflow'],
  30002: ['failed', 'Account suspended'],
  30003: ['undelivered', 'Unreachable destination handset'],
  30004: ['undelivered', 'Message blocked'],
  30005: ['undelivered', 'Unknown destination handset'],
  30006: ['undelivered', 'Landline or unreachable carrier'],
  30007: ['undelivered', 'Message filtered'],
  30008: ['undelivered', 'Unknown error'],
} as const

export type DeliveryErrorCode = keyof typeof DELIVERY_ERRORS
export const DELIVERY_ERROR_CODES = Object.keys(DELIVERY_ERRORS).map(Number) as DeliveryErrorCode[]

/** Twilio's message and status for an error. */
export function describe(code: ErrorCode, about: About = {}): { status: number; body: string } {
  const [status, wording] = ERRORS[code] as readonly [number, Wording]
  const body = { code, message: wording(about), more_info: `https://www.twilio.com/docs/errors/${code}`, status }
  return { status, body: JSON.stringify(body) }
}

/** Thrown to refuse a call. */
export class TwilioFailure extends Error {
  readonly code: ErrorCode
  readonly reply: Reply

  constructor(code: ErrorCode, about: About = {}, headers: Readonly<Record<string, string>> = {}) {
    const { status, body } = describe(code, about)
    super(`${code}`)
    this.code = code
    this.reply = jsonBody(status, body, headers)
  }
}
