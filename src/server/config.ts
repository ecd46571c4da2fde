import path from 'node:path'
import type { z } from 'zod'
import type { Offer } from '../core/billing/offer.ts'
import { environment, type Variables } from './config/variables.ts'

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

/** The sender in a demo, where mail never leaves the machine. */
const DEMO_SENDER = 'Ranklark <no-reply@ranklark.example>'
/** The help address in a demo. */
const DEMO_SUPPORT = 'support@ranklark.example'

/** A variable with an unusable value; the message is one line for the person who started the server. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Values that must not be repeated in a message: they contain a secret, or may have one in their user:password part. */
const SECRETS: readonly string[] = [
  'SECRET_KEY',
  'SECRET_KEY_BEFORE',
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
  /** `trustProxy`: who is trusted to say where a request comes from and how it was made; addresses, networks or their names. */
  http: Readonly<{ port: number; host: string; trustProxy: string[] }>
  /** The URL for browsers, without a trailing slash. Undefined: `http://localhost:` and the port it got. */
  baseUrl: string | undefined
  /** Absolute path. */
  dataDir: string
  databaseUrl: string | undefined
  /** `cluster`: the tables are spread over the servers of this cluster; `url` is one of them. */
  clickhouse: Readonly<{ url: string | undefined; cluster: string | undefined; memoryBytes: number }>
  secretKey: string | undefined
  /** Keys that `secretKey` replaced, and that some values may still be sealed with. */
  secretKeysBefore: readonly string[]
  /** Undefined client: Google can't be connected until keys are given. */
  google: Readonly<{
    client: Readonly<{ id: string; secret: string }> | undefined
    apiUrl: string
    oauthUrl: string
    tokenUrl: string
    /** Where Google publishes its ranking incidents; null: don't ask. */
    statusUrl: string | null
  }>
  /** Whether plans are sold, and if not, how many sites users may have. */
  offer: Offer
  /** Set wherever plans are sold. With `billing: off` they only end what was sold before. */
  stripe:
    | Readonly<{
        secretKey: string
        publishableKey: string
        webhookSecret: string
        apiUrl: string
        /** Another URL of Stripe's browser script; null: Stripe's own. */
        scriptUrl: string | null
      }>
    | undefined
  /** Undefined: no mail is sent. `smtpUrl` may contain a user and a password. `mayBeRead`: mail may go over a connection without TLS. */
  mail: Readonly<{ smtpUrl: string; from: string; mayBeRead?: true }> | undefined
  /** Maximum number of emails a day, from all accounts together, to people who haven't agreed to any. */
  asksADay: number
  /** The address that help requests go to; undefined: none was set. */
  supportEmail: string | undefined
  slack: Readonly<{
    /** The base URL of incoming webhooks, without a trailing slash; no other address is ever requested. */
    url: string
    /** Whether that is a stand-in on this machine. */
    standIn: boolean
  }>
  /**
   * Undefined: no SMS. `from`: a number, a messaging service or a sender's name. `aDay`: maximum texts per day. `countries`: allowed
   * prefixes of recipients' numbers; empty: all.
   */
  sms:
    | Readonly<{ accountSid: string; authToken: string; from: string; apiUrl: string; aDay: number; countries: readonly string[] }>
    | undefined
  webhooks: Readonly<{
    /** `host:port` in a private network that users' webhooks may go to; everything else there is off limits. */
    privateHosts: readonly string[]
    /** The address of a receiver on this machine, in a demo. */
    standIn: string | null
  }>
  demo: boolean
  role: Role
  /** How long a server that is shutting down keeps answering until the proxy in front of it notices. */
  drainSeconds: number
  logLevel: Variables['LOG_LEVEL']
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
  checkScale(values)
  if (values.SECRET_KEY === undefined && values.SECRET_KEY_BEFORE.length > 0)
    throw new ConfigError('SECRET_KEY_BEFORE also needs SECRET_KEY: the key that replaced it')
  const demo = isDemo(values)
  const till = stripe(values, demo)
  return {
    http: { port: values.PORT, host: values.HOST, trustProxy: values.TRUST_PROXY },
    baseUrl: values.BASE_URL ?? (values.PORT === 0 ? undefined : `http://localhost:${values.PORT}`),
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    clickhouse: { url: values.CLICKHOUSE_URL, cluster: values.CLICKHOUSE_CLUSTER, memoryBytes: values.CLICKHOUSE_MEMORY },
    secretKey: values.SECRET_KEY,
    secretKeysBefore: values.SECRET_KEY_BEFORE,
    google: google(values, demo),
    offer: offer(values, till),
    stripe: till,
    mail: mail(values, demo),
    asksADay: values.ASKS_A_DAY,
    supportEmail: values.SUPPORT_EMAIL ?? (demo ? DEMO_SUPPORT : undefined),
    slack: slack(values, demo),
    sms: sms(values, demo),
    webhooks: webhooks(values, demo),
    demo,
    role: values.ROLE,
    drainSeconds: values.DRAIN_SECONDS ?? (values.ROLE === 'web' ? 5 : 0),
    logLevel: values.LOG_LEVEL,
  }
}

/** Everybody knows a demo's password, and its stand-ins vouch for anyone: others must not reach it unless that is intended. */
function isDemo({ DEMO, GOOGLE_CLIENT_ID, BASE_URL, HOST }: Variables): boolean {
  const demo = DEMO === undefined ? GOOGLE_CLIENT_ID === undefined : DEMO !== false
  if (!demo || DEMO === 'public') return demo
  const open = BASE_URL?.startsWith('https://') ? `BASE_URL=${BASE_URL}` : isLoopback(HOST) ? null : `HOST=${HOST}`
  if (open === null) return demo
  const why = DEMO === undefined ? 'Without GOOGLE_CLIENT_ID this is a demo' : 'DEMO is on, so this is a demo'
  throw new ConfigError(
    `${why}. Its password is public, and ${open} lets others reach it. Set Google's keys, or DEMO=0 to start without them. For a public demo, set DEMO=public`,
  )
}

/** Whether traffic to this host stays on the machine. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** Anything shared by several processes has to be where all of them can reach it. */
function checkScale(values: Variables): void {
  if (values.CLICKHOUSE_CLUSTER !== undefined && values.CLICKHOUSE_URL === undefined)
    throw new ConfigError('CLICKHOUSE_CLUSTER also needs CLICKHOUSE_URL: the address of one of its servers')
  if (values.ROLE === 'all') return
  const missing = (['DATABASE_URL', 'CLICKHOUSE_URL', 'SECRET_KEY', 'BASE_URL'] as const).filter((name) => values[name] === undefined)
  if (missing.length > 0)
    throw new ConfigError(`ROLE=${values.ROLE} needs ${missing.join(', ')}: processes can only share what all of them can reach`)
}

function google(values: Variables, demo: boolean): Config['google'] {
  const standIn = demo ? values.EMULATOR_GOOGLE_URL : undefined
  const id = values.GOOGLE_CLIENT_ID ?? (standIn && DEMO_CLIENT.id)
  const secret = values.GOOGLE_CLIENT_SECRET ?? (standIn && DEMO_CLIENT.secret)
  if ((id === undefined) !== (secret === undefined)) {
    throw new ConfigError('Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET together: one of them is missing')
  }
  return {
    client: id !== undefined && secret !== undefined ? { id, secret } : undefined,
    apiUrl: values.GOOGLE_API_URL ?? standIn ?? 'https://www.googleapis.com',
    oauthUrl: values.GOOGLE_OAUTH_URL ?? (standIn ? `${standIn}/o/oauth2/v2/auth` : 'https://accounts.google.com/o/oauth2/v2/auth'),
    tokenUrl: values.GOOGLE_TOKEN_URL ?? (standIn ? `${standIn}/token` : 'https://oauth2.googleapis.com/token'),
    statusUrl: values.GOOGLE_STATUS_URL === 'off' ? null : (values.GOOGLE_STATUS_URL ?? standIn ?? 'https://status.search.google.com'),
  }
}

function stripe(values: Variables, demo: boolean): Config['stripe'] {
  const given = [values.STRIPE_SECRET_KEY, values.STRIPE_PUBLISHABLE_KEY, values.STRIPE_WEBHOOK_SECRET]
  const [secretKey, publishableKey, webhookSecret] = given
  const apiUrl = values.STRIPE_API_URL ?? 'https://api.stripe.com'
  // Payments start, and Stripe reports them, over the web: a worker only asks.
  if (values.ROLE === 'worker' && secretKey !== undefined)
    return { secretKey, publishableKey: publishableKey ?? '', webhookSecret: webhookSecret ?? '', apiUrl, scriptUrl: null }
  if (secretKey !== undefined && publishableKey !== undefined && webhookSecret !== undefined)
    return { secretKey, publishableKey, webhookSecret, apiUrl, scriptUrl: null }
  if (given.some((value) => value !== undefined)) {
    throw new ConfigError('STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together: some are missing')
  }
  const standIn = demo ? values.EMULATOR_STRIPE_URL : undefined
  return standIn === undefined
    ? undefined
    : { ...DEMO_STRIPE, apiUrl: values.STRIPE_API_URL ?? standIn, scriptUrl: `${standIn}/v3/stripe.js` }
}

function offer(values: Variables, till: Config['stripe']): Offer {
  const billing = values.BILLING ?? (till ? 'stripe' : 'off')
  if (billing === 'stripe' && !till)
    throw new ConfigError('BILLING=stripe also needs STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET')
  if (billing === 'stripe' && values.SITES_PER_PERSON !== undefined)
    throw new ConfigError(`SITES_PER_PERSON=${values.SITES_PER_PERSON} only applies with BILLING=off: otherwise the plans set the limit`)
  return { billing, sitesPerPerson: values.SITES_PER_PERSON ?? null }
}

function mail(values: Variables, demo: boolean): Config['mail'] {
  const standIn = demo ? values.EMULATOR_SMTP_URL : undefined
  if (standIn !== undefined) return { smtpUrl: standIn, from: values.MAIL_FROM ?? DEMO_SENDER }
  if (values.SMTP_URL === undefined) return undefined
  if (values.MAIL_FROM === undefined) throw new ConfigError("SMTP_URL also needs MAIL_FROM: the sender's address")
  return { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM, ...(values.SMTP_TLS === 'optional' && { mayBeRead: true }) }
}

function slack(values: Variables, demo: boolean): Config['slack'] {
  const standIn = demo ? values.EMULATOR_SLACK_URL : undefined
  return { url: values.SLACK_URL ?? standIn ?? 'https://hooks.slack.com', standIn: values.SLACK_URL === undefined && standIn !== undefined }
}

function sms(values: Variables, demo: boolean): Config['sms'] {
  const given = [values.TWILIO_ACCOUNT_SID, values.TWILIO_AUTH_TOKEN, values.TWILIO_FROM]
  const [accountSid, authToken, from] = given
  const bounds = { aDay: values.SMS_A_DAY, countries: values.SMS_COUNTRIES }
  if (accountSid !== undefined && authToken !== undefined && from !== undefined)
    return { accountSid, authToken, from, apiUrl: values.TWILIO_API_URL ?? 'https://api.twilio.com', ...bounds }
  if (given.some((value) => value !== undefined)) {
    throw new ConfigError('TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set together: some are missing')
  }
  const standIn = demo ? values.EMULATOR_SMS_URL : undefined
  return standIn === undefined ? undefined : { ...DEMO_TWILIO, apiUrl: values.TWILIO_API_URL ?? standIn, ...bounds }
}

function webhooks(values: Variables, demo: boolean): Config['webhooks'] {
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
