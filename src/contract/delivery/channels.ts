import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const channelName = z.enum(['email', 'slack', 'sms', 'webhook'])
export type ChannelName = z.infer<typeof channelName>

const common = {
  /** Why this plan or this installation does not offer it, in words; null when it does. */
  locked: z.string().nullable(),
  /** Where messages go, as far as it may be shown: an address, `#seo`, `hooks.slack.com/…/x3Kd`, `+44 •••• 1234`; null: nowhere yet. */
  to: z.string().nullable(),
  /** Why nothing is sent there any more, or today (the address is unknown, enough was sent), and what to do; null when all is well. */
  problem: z.string().nullable(),
  lastSentAt: z.iso.datetime().nullable(),
}

/** Where messages go. Addresses that are secrets never come back to the browser. */
export const deliveryChannels = z.object({
  email: z.object({
    ...common,
    /** An address other than the account's waits until it was confirmed; until then mail goes to `to`. */
    waitingFor: z.string().nullable(),
    /**
     * Set while mail would go to the account's own address and nobody has confirmed it: nothing is sent there, and so
     * many alerts wait.
     */
    unconfirmed: z.object({ alerts: z.number().int() }).nullable(),
  }),
  slack: z.object({
    ...common,
    channel: z.string().nullable(),
    /** An address that works in this demo; null outside of it. */
    example: z.string().nullable(),
  }),
  sms: z.object({
    ...common,
    /** A number to which a code was sent and not yet given back; masked. */
    waitingFor: z.string().nullable(),
  }),
  webhook: z.object({ ...common, example: z.string().nullable() }),
})
export type DeliveryChannels = z.infer<typeof deliveryChannels>

/** Null: the account's own. Another address gets a letter to confirm it. */
export const emailDestination = z.object({
  address: z.email('Please enter a valid email address').max(254).nullable(),
})
export const emailConfirmation = z.object({ token: z.string().min(1).max(2048) })
export const emailConfirmed = z.object({ address: z.string() })
/** The token up to its dot, base64url of JSON: what can be shown of it before it is used. Whether it is true, the server says then. */
export const emailConfirmationClaim = z.object({ address: z.string() })

/** Without an address the one that is there stays. */
export const slackDestination = z.object({
  webhookUrl: z.string().trim().min(1, 'Paste an incoming webhook URL').max(2048).optional(),
  /** Honoured by older webhooks only; those of a Slack app post where they were made for. */
  channel: z
    .string()
    .trim()
    .max(80, 'A channel can have up to 80 characters')
    .regex(/^[#@]?[^\s#@<>&,]*$/u, 'Enter a channel name without spaces, such as #seo-alerts')
    .nullable()
    .optional(),
})

export const smsDestination = z.object({
  number: z
    .string()
    .trim()
    .transform((text) => text.replace(/[\s().-]/g, ''))
    .refine((text) => /^\+[1-9]\d{6,14}$/.test(text), 'Include the country code, such as +44 20 7946 0000'),
})
export const smsConfirmation = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Enter the 6-digit code'),
})

export const webhookDestination = z.object({
  url: z.string().trim().min(1, 'Enter your server URL').max(2048, 'A URL can have up to 2,048 characters'),
})
/** The secret is shown this once. */
export const webhookSecret = z.object({ channels: deliveryChannels, secret: z.string() })

/** Where a real message was sent, the real way. */
export const testSent = z.object({ to: z.string() })
export const testEmailSent = z.object({ email: z.string() })

export const unsubscribeQuery = z.object({ token: z.string().min(1).max(2048) })
export const unsubscribeAnswer = z.object({ address: z.string(), subscribed: z.boolean() })

const path = '/api/delivery-channels'
const put = { method: 'PUT', access: 'session', proof: 'always', answer: deliveryChannels } as const
const remove = { method: 'DELETE', access: 'session', answer: deliveryChannels } as const
const test = { method: 'POST', access: 'session', answer: testSent } as const
/** Where messages go, and a test of each. Every change answers all of them as they are then. */
export const channelEndpoints = {
  list: endpoint({ method: 'GET', path, access: 'session', answer: deliveryChannels }),
  setEmail: endpoint({ ...put, path: `${path}/email`, body: emailDestination }),
  confirmEmail: endpoint({
    method: 'POST',
    path: `${path}/email/confirm`,
    access: { anybody: 'the link from the email says whose address it is' },
    body: emailConfirmation,
    answer: emailConfirmed,
  }),
  setSlack: endpoint({ ...put, path: `${path}/slack`, body: slackDestination }),
  /** Sends a code to the number. */
  setSms: endpoint({ ...put, path: `${path}/sms`, body: smsDestination }),
  confirmSms: endpoint({ method: 'POST', path: `${path}/sms/confirm`, access: 'session', body: smsConfirmation, answer: deliveryChannels }),
  setWebhook: endpoint({ ...put, path: `${path}/webhook`, body: webhookDestination, answer: webhookSecret }),
  newWebhookSecret: endpoint({ method: 'POST', path: `${path}/webhook/secret`, access: 'session', proof: 'always', answer: webhookSecret }),
  testEmailOfAlerts: endpoint({ method: 'POST', path: '/api/alerts/test-email', access: 'session', answer: testEmailSent }),
}
export const disconnectEndpoints = {
  slack: endpoint({ ...remove, path: `${path}/slack` }),
  sms: endpoint({ ...remove, path: `${path}/sms` }),
  webhook: endpoint({ ...remove, path: `${path}/webhook` }),
}
export const channelTestEndpoints = {
  email: endpoint({ ...test, path: `${path}/email/test` }),
  slack: endpoint({ ...test, path: `${path}/slack/test` }),
  sms: endpoint({ ...test, path: `${path}/sms/test` }),
  webhook: endpoint({ ...test, path: `${path}/webhook/test` }),
}

const ofMails = {
  path: '/api/unsubscribe',
  access: { anybody: 'the link from the email says whose emails they are' },
  fromAnywhere: true,
  query: unsubscribeQuery,
  answer: unsubscribeAnswer,
} as const
/** Whose alert emails a link of one of them would stop; and stopping them, also with one click in an email program (RFC 8058). */
export const unsubscribeEndpoints = {
  read: endpoint({ ...ofMails, method: 'GET' }),
  stop: endpoint({ ...ofMails, method: 'POST' }),
}
