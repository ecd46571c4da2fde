import { isIP } from 'node:net'
import { z } from 'zod'
import { billing as billingNames } from '../../contract/user.ts'

const GIB = 1024 ** 3
const BYTE_UNITS: Record<string, number> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KIB: 1024, MIB: 1024 ** 2, GIB }
/** Below this ClickHouse can't sort a single block of facts. */
const MIN_CLICKHOUSE_MEMORY = 128 * 1024 ** 2

const demo = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['1', '0', 'true', 'false', 'public'], 'must be 1, 0, true, false or public'))
  .transform((value) => (value === 'public' ? value : value === '1' || value === 'true'))

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535 (0 picks a free port)')
  .transform(Number)
  .refine((value) => value <= 65535, 'must be a whole number from 0 to 65535 (0 picks a free port)')

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''))

const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })

/** `name@host`, or `Name <name@host>` with a name that needs no quotes: one mailbox to any mail program. */
const mailbox = z
  .string()
  .trim()
  .regex(
    /^(?:[^<>()[\]\\,;:"@\p{Cc}]*<[^\s<>()[\]\\,;:"@\p{Cc}]+@[\w.-]+>|[^\s<>()[\]\\,;:"@\p{Cc}]+@[\w.-]+)$/u,
    'must be an email address, such as no-reply@example.com or Ranklark <no-reply@example.com>',
  )

const bytes = z.string().transform((value, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value.trim())
  const unit = BYTE_UNITS[(match?.[2] || 'B').toUpperCase()]
  const amount = match && unit !== undefined ? Math.floor(Number(match[1]) * unit) : Number.NaN
  if (amount >= MIN_CLICKHOUSE_MEMORY) return amount
  context.addIssue({ code: 'custom', message: 'must be an amount of memory of at least 128MiB, such as 512MiB, 2GiB or a number of bytes' })
  return z.NEVER
})

/** `10.0.0.0/8`, `fd00::1` or the name of such networks. */
const isNetwork = (text: string): boolean => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', length, ...more] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : 0
  return (
    bits > 0 && more.length === 0 && (length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits && Number(length) > 0))
  )
}

const proxies = z
  .string()
  .transform((text) => text.split(',').map((network) => network.trim().toLowerCase()))
  .refine(
    (networks) => networks.every(isNetwork),
    'must be addresses or networks of proxies, such as 10.0.0.5,172.16.0.0/12, or loopback, linklocal, uniquelocal',
  )

const billing = z.enum(billingNames.options, 'must be stripe or off')

/** Every variable, and its allowed values. */
export const environment = z.object({
  PORT: port.default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  TRUST_PROXY: proxies.default(['loopback']),
  BASE_URL: httpUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  CLICKHOUSE_URL: httpUrl.optional(),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_][\w-]{0,63}$/, 'must be the name of a ClickHouse cluster')
    .optional(),
  CLICKHOUSE_MEMORY: bytes.default(GIB),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_BEFORE: z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.array(z.string().min(32, 'must be keys of at least 32 characters, separated by commas')))
    .default([]),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_API_URL: httpUrl.optional(),
  GOOGLE_OAUTH_URL: httpUrl.optional(),
  GOOGLE_TOKEN_URL: httpUrl.optional(),
  GOOGLE_STATUS_URL: z.union([z.literal('off'), httpUrl], 'must be an http:// or https:// address, or off').optional(),
  EMULATOR_GOOGLE_URL: httpUrl.optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: httpUrl.optional(),
  BILLING: billing.optional(),
  SITES_PER_PERSON: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number of sites, at least 1')
    .transform(Number)
    .optional(),
  EMULATOR_STRIPE_URL: httpUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  SMTP_TLS: z.enum(['required', 'optional'], 'must be required or optional').default('required'),
  MAIL_FROM: mailbox.optional(),
  ASKS_A_DAY: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number of emails, at least 1')
    .transform(Number)
    .default(5000),
  SUPPORT_EMAIL: z.email('must be an email address').max(254).optional(),
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
  SMS_A_DAY: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a whole number of text messages, at least 1')
    .transform(Number)
    .default(1000),
  SMS_COUNTRIES: z
    .string()
    .transform((text) => text.split(',').map((code) => code.trim().replace(/^\+/, '')))
    .pipe(z.array(z.string().regex(/^[1-9]\d{0,6}$/, 'must be country codes separated by commas, such as 1,44,49')))
    .default([]),
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
  DEMO: demo.optional(),
  ROLE: z.enum(['all', 'web', 'worker'], 'must be all, web or worker').default('all'),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number of seconds, at most 999')
    .transform(Number)
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be fatal, error, warn, info, debug, trace or silent')
    .default('info'),
})

export type Variables = z.infer<typeof environment>
