import { z } from 'zod'
import { email } from '../account/auth.ts'
import { cleanedText, textUpTo, trimmed } from '../common.ts'
import { endpoint, signedIn } from '../endpoint.ts'

export const channelName = z.enum(['email', 'slack', 'sms', 'webhook'])
export type ChannelName = z.infer<typeof channelName>

const common = {
  /** Why this plan or installation doesn't offer it; null if it does. */
  locked: z.string().nullable(),
  /** Where messages go, in displayable form: an address, `#seo`, `hooks.slack.com/…/x3Kd`, `+44 •••• 1234`; null: nowhere yet. */
  to: z.string().nullable(),
  /** Why nothing is sent there anymore, or today (unknown address, daily limit), and what to do; null if all is well. */
  problem: z.string().nullable(),
  lastSentAt: z.iso.datetime().nullable(),
}

/** Where messages go. Secret URLs never return to the browser. */
export const deliveryChannels = z.object({
  email: z.object({
    ...common,
    /** An address other than the account's, pending confirmation; until then emails go to `to`. */
    waitingFor: z.string().nullable(),
    /** Set while emails would go to the account's own unconfirmed address: nothing is sent there, and this many alerts wait. */
    unconfirmed: z.object({ alerts: z.number().int() }).nullable(),
  }),
  slack: z.object({
    ...common,
    channel: z.string().nullable(),
    /** A URL that works in this demo; null elsewhere. */
    example: z.string().nullable(),
  }),
  sms: z.object({
    ...common,
    /** A number whose code hasn't been entered yet; masked. */
    waitingFor: z.string().nullable(),
  }),
  webhook: z.object({ ...common, example: z.string().nullable() }),
})
export type DeliveryChannels = z.infer<typeof deliveryChannels>

/** Null: the account's own. Any other address gets an email to confirm it. */
export const emailDestination = z.object({
  address: email.nullable(),
})
export const emailConfirmation = z.object({ token: z.string().min(1).max(2048) })
export const emailConfirmed = z.object({ address: z.string() })
/** The token up to its dot, base64url of JSON: what can be shown before it is used. The server verifies it then. */
export const emailConfirmationClaim = z.object({ address: z.string() })

/** Without a URL the current one stays. */
export const slackDestination = z.object({
  webhookUrl: cleanedText(2048, trimmed).min(1, 'Paste an incoming webhook URL').optional(),
  /** Only honored by older webhooks; a Slack app's webhooks post to a fixed channel. */
  channel: cleanedText(80, trimmed, 'A channel name can have up to 80 characters')
    .regex(/^[#@]?[^\s#@<>&,]*$/u, 'Enter a channel name without spaces, such as #seo-alerts')
    .nullable()
    .optional(),
})

const wrongNumber = 'Include the country code, such as +1 202 555 0147'
export const smsDestination = z.object({
  number: textUpTo(64, wrongNumber)
    .transform((text) => text.replace(/[\s().-]/g, ''))
    .refine((text) => /^\+[1-9]\d{6,14}$/.test(text), wrongNumber),
})
const wrongCode = 'Enter the 6-digit code'
export const smsConfirmation = z.object({
  code: cleanedText(6, trimmed, wrongCode).regex(/^\d{6}$/, wrongCode),
})

export const webhookDestination = z.object({
  url: cleanedText(2048, trimmed, 'A URL can have up to 2,048 characters').min(1, 'Enter your server URL'),
})
/** The secret is shown only this once. */
export const webhookSecret = z.object({ channels: deliveryChannels, secret: z.string() })

/** Where a real message was sent. */
export const testSent = z.object({ to: z.string() })
export const testEmailSent = z.object({ email: z.string() })

export const unsubscribeQuery = z.object({ token: z.string().min(1).max(2048) })
/** `asked`: the address gets nothing, but its reader was asked to agree, and may be asked again. */
export const unsubscribeAnswer = z.object({ address: z.string(), subscribed: z.boolean(), asked: z.boolean().optional() })

const path = '/api/delivery-channels'
/** Where messages go, and a test for each channel. Every change returns the state of all of them. */
export const channelEndpoints = {
  list: signedIn.get(path, { answer: deliveryChannels }),
  setEmail: signedIn.put(`${path}/email`, { proof: 'always', body: emailDestination, answer: deliveryChannels }),
  confirmEmail: endpoint({
    method: 'POST',
    path: `${path}/email/confirm`,
    access: { anybody: 'the link in the email identifies the address' },
    body: emailConfirmation,
    answer: emailConfirmed,
  }),
  setSlack: signedIn.put(`${path}/slack`, { proof: 'always', body: slackDestination, answer: deliveryChannels }),
  /** Sends the number a code. */
  setSms: signedIn.put(`${path}/sms`, { proof: 'always', body: smsDestination, answer: deliveryChannels }),
  confirmSms: signedIn.post(`${path}/sms/confirm`, { body: smsConfirmation, answer: deliveryChannels }),
  setWebhook: signedIn.put(`${path}/webhook`, { proof: 'always', body: webhookDestination, answer: webhookSecret }),
  newWebhookSecret: signedIn.post(`${path}/webhook/secret`, { proof: 'always', answer: webhookSecret }),
  testEmailOfAlerts: signedIn.post('/api/alerts/test-email', { answer: testEmailSent }),
}
export const disconnectEndpoints = {
  slack: signedIn.remove(`${path}/slack`, { answer: deliveryChannels }),
  sms: signedIn.remove(`${path}/sms`, { answer: deliveryChannels }),
  webhook: signedIn.remove(`${path}/webhook`, { answer: deliveryChannels }),
}
export const channelTestEndpoints = {
  email: signedIn.post(`${path}/email/test`, { answer: testSent }),
  slack: signedIn.post(`${path}/slack/test`, { answer: testSent }),
  sms: signedIn.post(`${path}/sms/test`, { answer: testSent }),
  webhook: signedIn.post(`${path}/webhook/test`, { answer: testSent }),
}

const ofMails = {
  path: '/api/unsubscribe',
  access: { anybody: 'the link in the email identifies the recipient' },
  fromAnywhere: true,
  query: unsubscribeQuery,
  answer: unsubscribeAnswer,
} as const
/** Shows whose alert emails a link would stop, and stops them, including with one click in a mail program (RFC 8058). */
export const unsubscribeEndpoints = {
  read: endpoint({ ...ofMails, method: 'GET' }),
  stop: endpoint({ ...ofMails, method: 'POST' }),
}
