export interface SmsOptions {
  /** 0 or absent picks a free one. */
  readonly port?: number
  /** null or absent: nothing outlives the process. */
  readonly stateDir?: string | null
  readonly accountSid?: string
  readonly authToken?: string
  /** The account's numbers, in E.164. */
  readonly numbers?: readonly string[]
  readonly messagingServiceSid?: string
}

export const DEFAULT_ACCOUNT_SID = `AC${'0'.repeat(32)}`
export const DEFAULT_AUTH_TOKEN = 'ranklark_local_stand_in'
/** Twilio's own magic number that may send. */
export const DEFAULT_NUMBER = '+15005550006'
export const DEFAULT_MESSAGING_SERVICE_SID = `MG${'0'.repeat(32)}`

export const API_VERSION = '2010-04-01'
