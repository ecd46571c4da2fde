import path from 'node:path'
import { z } from 'zod'

const GIB = 1024 ** 3
const BYTE_UNITS: Record<string, number> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KIB: 1024, MIB: 1024 ** 2, GIB }
/** Below this ClickHouse cannot sort a single block of facts. */
const MIN_CLICKHOUSE_MEMORY = 128 * 1024 ** 2

/** The stand-in's own client (`emulators/google`), so that a demo needs no keys. */
const DEMO_CLIENT = { id: 'ranklark-local.apps.googleusercontent.example', secret: 'local-stand-in-secret' }

/** The Stripe stand-in's own keys (`emulators/stripe`). */
const DEMO_STRIPE = {
  secretKey: 'sk_test_ranklark_local_stand_in',
  publishableKey: 'pk_test_ranklark_local_stand_in',
  webhookSecret: 'whsec_ranklark_local_stand_in',
}

/** The Twilio stand-in's own account (`emulators/sms`). */
const DEMO_TWILIO = {
  accountSid: 'AC00000000000000000000000000000000',
  authToken: 'ranklark_local_stand_in',
  from: '+15005550006',
}

/** Who writes to people in a demo, where mail never leaves the machine. */
const DEMO_SENDER = 'Ranklark <no-reply@ranklark.example>'

/** A variable with a value that cannot be used; the message is one line for the person who started the server. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['1', '0', 'true', 'false'], 'must be 1, 0, true or false'))
  .transform((value) => value === '1' || value === 'true')

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535 (0 picks a free port)')
  .transform(Number)
  .refine((value) => value <= 65535, 'must be a whole number from 0 to 65535 (0 picks a free port)')

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .transform((value) => value.replace(/\/+$/, ''))

const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })

/** `name@host`, or `Name <name@host>` with a name that needs no quotes: one mailbox, however a mail program reads it. */
const mailbox = z
  .string()
  .trim()
  .regex(
    /^(?:[^<>()[\]\\,;:"@\p{Cc}]*<[^\s<>()[\]\\,;:"@\p{Cc}]+@[\w.-]+>|[^\s<>()[\]\\,;:"@\p{Cc}]+@[\w.-]+)$/u,
    'must be an e-mail address, such as no-reply@example.com or Ranklark <no-reply@example.com>',
  )

const bytes = z.string().transform((value, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value.trim())
  const unit = BYTE_UNITS[(match?.[2] || 'B').toUpperCase()]
  const amount = match && unit !== undefined ? Math.floor(Number(match[1]) * unit) : Number.NaN
  if (amount >= MIN_CLICKHOUSE_MEMORY) return amount
  context.addIssue({ code: 'custom', message: 'must be an amount of memory of at least 128MiB, such as 512MiB, 2GiB or a number of bytes' })
  return z.NEVER
})

const environment = z.object({
  PORT: port.default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  BASE_URL: httpUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  CLICKHOUSE_URL: httpUrl.optional(),
  CLICKHOUSE_MEMORY: bytes.default(GIB),
  SECRET_KEY: z.string().min(32, 'must hold at least 32 characters').optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_API_URL: httpUrl.optional(),
  GOOGLE_OAUTH_URL: httpUrl.optional(),
  GOOGLE_TOKEN_URL: httpUrl.optional(),
  EMULATOR_GOOGLE_URL: httpUrl.optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: httpUrl.optional(),
  EMULATOR_STRIPE_URL: httpUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailbox.optional(),
  EMULATOR_SMTP_URL: smtpUrl.optional(),
  SLACK_URL: httpUrl.optional(),
  EMULATOR_SLACK_URL: httpUrl.optional(),
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$/,
      'must be a number such as +15005550006, a messaging service (MG…) or a sender name',
    )
    .optional(),
  TWILIO_API_URL: httpUrl.optional(),
  EMULATOR_SMS_URL: httpUrl.optional(),
  WEBHOOK_PRIVATE_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
    .pipe(
      z.array(
        z.string().regex(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/, 'must be hosts with their ports, such as n8n.internal:5678,10.0.0.7:443'),
      ),
    )
    .default([]),
  EMULATOR_WEBHOOK_URL: httpUrl.optional(),
  DEMO: flag.optional(),
  ROLE: z.enum(['all', 'web', 'worker'], 'must be all, web or worker').default('all'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be fatal, error, warn, info, debug, trace or silent')
    .default('info'),
})

/** Values that must not be repeated in a message: they hold a secret, or may hold one in their user:password part. */
const SECRETS: readonly string[] = [
  'SECRET_KEY',
  'GOOGLE_CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'SMTP_URL',
  'TWILIO_AUTH_TOKEN',
] satisfies (keyof typeof environment.shape)[]

type Role = 'all' | 'web' | 'worker'

export type Config = Readonly<{
  http: Readonly<{ port: number; host: string }>
  /** Where browsers reach the server, without a trailing slash. Undefined: `http://localhost:` and the port it got. */
  baseUrl: string | undefined
  /** Absolute path. */
  dataDir: string
  databaseUrl: string | undefined
  clickhouse: Readonly<{ url: string | undefined; memoryBytes: number }>
  secretKey: string | undefined
  /** Undefined client: Google cannot be connected until keys are given. */
  google: Readonly<{
    client: Readonly<{ id: string; secret: string }> | undefined
    apiUrl: string
    oauthUrl: string
    tokenUrl: string
  }>
  /** Undefined: plans that cost something cannot be chosen until keys are given. */
  stripe:
    | Readonly<{
        secretKey: string
        publishableKey: string
        webhookSecret: string
        apiUrl: string
        /** Another place of Stripe's script for the browser; null: Stripe's own. */
        scriptUrl: string | null
      }>
    | undefined
  /** Undefined: no mail is sent. `smtpUrl` may hold a user and a password. */
  mail: Readonly<{ smtpUrl: string; from: string }> | undefined
  slack: Readonly<{
    /** Where incoming webhooks are, without a trailing slash; no other address is ever asked. */
    url: string
    /** Whether that is a stand-in on this machine. */
    standIn: boolean
  }>
  /** Undefined: there is no SMS. `from`: a number, a messaging service or a sender's name. */
  sms: Readonly<{ accountSid: string; authToken: string; from: string; apiUrl: string }> | undefined
  webhooks: Readonly<{
    /** `host:port` in a private network that people's webhooks may go to; everything else there is out of bounds. */
    privateHosts: readonly string[]
    /** The address of a receiver on this machine, in a demo. */
    standIn: string | null
  }>
  demo: boolean
  role: Role
  logLevel: z.infer<typeof environment.shape.LOG_LEVEL>
}>

/**
 * Reads every variable once. An empty one counts as absent, as in a `.env` file with nothing after the `=`.
 * @throws ConfigError naming the variable, its value (never a secret's) and what is allowed
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = environment.safeParse(present)
  if (!parsed.success) throw new ConfigError(describe(parsed.error, present))
  const values = parsed.data
  const demo = values.DEMO ?? values.GOOGLE_CLIENT_ID === undefined
  return {
    http: { port: values.PORT, host: values.HOST },
    baseUrl: values.BASE_URL ?? (values.PORT === 0 ? undefined : `http://localhost:${values.PORT}`),
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    clickhouse: { url: values.CLICKHOUSE_URL, memoryBytes: values.CLICKHOUSE_MEMORY },
    secretKey: values.SECRET_KEY,
    google: google(values, demo),
    stripe: stripe(values, demo),
    mail: mail(values, demo),
    slack: slack(values, demo),
    sms: sms(values, demo),
    webhooks: webhooks(values, demo),
    demo,
    role: values.ROLE,
    logLevel: values.LOG_LEVEL,
  }
}

function google(values: z.infer<typeof environment>, demo: boolean): Config['google'] {
  const standIn = demo ? values.EMULATOR_GOOGLE_URL : undefined
  const id = values.GOOGLE_CLIENT_ID ?? (standIn && DEMO_CLIENT.id)
  const secret = values.GOOGLE_CLIENT_SECRET ?? (standIn && DEMO_CLIENT.secret)
  if ((id === undefined) !== (secret === undefined)) {
    throw new ConfigError('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be given together, but only one of them is')
  }
  return {
    client: id !== undefined && secret !== undefined ? { id, secret } : undefined,
    apiUrl: values.GOOGLE_API_URL ?? standIn ?? 'https://www.googleapis.com',
    oauthUrl: values.GOOGLE_OAUTH_URL ?? (standIn ? `${standIn}/o/oauth2/v2/auth` : 'https://accounts.google.com/o/oauth2/v2/auth'),
    tokenUrl: values.GOOGLE_TOKEN_URL ?? (standIn ? `${standIn}/token` : 'https://oauth2.googleapis.com/token'),
  }
}

function stripe(values: z.infer<typeof environment>, demo: boolean): Config['stripe'] {
  const given = [values.STRIPE_SECRET_KEY, values.STRIPE_PUBLISHABLE_KEY, values.STRIPE_WEBHOOK_SECRET]
  const [secretKey, publishableKey, webhookSecret] = given
  if (secretKey !== undefined && publishableKey !== undefined && webhookSecret !== undefined)
    return { secretKey, publishableKey, webhookSecret, apiUrl: values.STRIPE_API_URL ?? 'https://api.stripe.com', scriptUrl: null }
  if (given.some((value) => value !== undefined)) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be given together, but only some of them are',
    )
  }
  const standIn = demo ? values.EMULATOR_STRIPE_URL : undefined
  return standIn === undefined
    ? undefined
    : { ...DEMO_STRIPE, apiUrl: values.STRIPE_API_URL ?? standIn, scriptUrl: `${standIn}/v3/stripe.js` }
}

function mail(values: z.infer<typeof environment>, demo: boolean): Config['mail'] {
  const standIn = demo ? values.EMULATOR_SMTP_URL : undefined
  if (standIn !== undefined) return { smtpUrl: standIn, from: values.MAIL_FROM ?? DEMO_SENDER }
  if (values.SMTP_URL === undefined) return undefined
  if (values.MAIL_FROM === undefined) throw new ConfigError('SMTP_URL needs MAIL_FROM beside it: the address that mail comes from')
  return { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM }
}

function slack(values: z.infer<typeof environment>, demo: boolean): Config['slack'] {
  const standIn = demo ? values.EMULATOR_SLACK_URL : undefined
  return { url: values.SLACK_URL ?? standIn ?? 'https://hooks.slack.com', standIn: values.SLACK_URL === undefined && standIn !== undefined }
}

function sms(values: z.infer<typeof environment>, demo: boolean): Config['sms'] {
  const given = [values.TWILIO_ACCOUNT_SID, values.TWILIO_AUTH_TOKEN, values.TWILIO_FROM]
  const [accountSid, authToken, from] = given
  if (accountSid !== undefined && authToken !== undefined && from !== undefined)
    return { accountSid, authToken, from, apiUrl: values.TWILIO_API_URL ?? 'https://api.twilio.com' }
  if (given.some((value) => value !== undefined)) {
    throw new ConfigError('TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be given together, but only some of them are')
  }
  const standIn = demo ? values.EMULATOR_SMS_URL : undefined
  return standIn === undefined ? undefined : { ...DEMO_TWILIO, apiUrl: values.TWILIO_API_URL ?? standIn }
}

function webhooks(values: z.infer<typeof environment>, demo: boolean): Config['webhooks'] {
  const standIn = (demo ? values.EMULATOR_WEBHOOK_URL : undefined) ?? null
  return { privateHosts: [...values.WEBHOOK_PRIVATE_HOSTS, ...(standIn === null ? [] : [new URL(standIn).host])], standIn }
}

function describe(error: z.ZodError, env: Record<string, string | undefined>): string {
  return error.issues
    .map((issue) => {
      const name = String(issue.path[0])
      const value = SECRETS.includes(name) ? '' : `=${env[name] ?? ''}`
      return `${name}${value} ${issue.message}`
    })
    .join('; ')
}
