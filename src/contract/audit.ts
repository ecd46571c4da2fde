import { z } from 'zod'
import { textUpTo } from './common.ts'
import { apiScope } from './api-keys.ts'
import { planId } from './user.ts'
import { signedIn } from './endpoint.ts'

/** How many days account activity is kept. */
export const auditDays = 400
export const auditPageSize = 50

const name = z.string()
const what = <K extends string, D extends z.ZodRawShape>(kind: K, details: D) =>
  z.object({ kind: z.literal(kind), details: z.object(details) })

/** Account events of interest to the owner: names of things, never a secret and never a message's content. */
export const auditedChange = z.discriminatedUnion('kind', [
  what('registered', { with: z.enum(['password', 'google']) }),
  what('signed-in', { with: z.enum(['password', 'google', 'code', 'recovery-code']) }),
  what('sign-in-failed', { at: z.enum(['password', 'code']) }),
  what('signed-out', {}),
  what('sessions-ended', {}),
  what('password-changed', {}),
  what('password-reset-asked', {}),
  what('password-reset', {}),
  what('username-changed', { from: name, to: name }),
  what('address-change-asked', { to: name }),
  what('address-changed', { from: name, to: name }),
  what('address-change-undone', { address: name }),
  what('address-confirmed', { address: name }),
  what('two-factor-on', {}),
  what('two-factor-off', {}),
  what('recovery-codes-renewed', {}),
  what('recovery-codes-ended', {}),
  what('sign-in-added', { account: name }),
  what('sign-in-removed', { account: name }),
  what('account-reclaimed', {}),
  what('google-connected', { account: name }),
  what('google-disconnected', { account: name }),
  what('google-lost', { because: z.enum(['token_revoked', 'scope_missing', 'api_disabled']) }),
  what('property-monitored', { property: name }),
  what('property-unmonitored', { property: name }),
  what('property-paused', { property: name }),
  what('property-imported', { property: name, file: name }),
  what('plan-changed', { from: planId, to: planId }),
  what('plan-granted', { plan: planId }),
  what('payment-failed', { plan: planId }),
  what('card-changed', { brand: name, last4: name }),
  what('key-created', { name, scope: apiScope }),
  what('key-revoked', { name }),
  what('key-used', { name, id: z.string() }),
  what('destination-set', { channel: z.enum(['email', 'slack', 'sms', 'webhook']), to: name }),
  what('destination-removed', { channel: z.enum(['email', 'slack', 'sms', 'webhook']) }),
  what('share-created', { report: name, until: z.iso.datetime() }),
  what('share-withdrawn', { report: name }),
  /** Properties were added to a client. */
  what('client-extended', { client: name, properties: name }),
  what('schedule-set', { report: name, to: name }),
  what('schedule-removed', { report: name }),
  what('brand-changed', { name }),
  what('data-exported', {}),
  what('deletion-refused', {}),
  what('support-asked', {}),
])
export type AuditedChange = z.infer<typeof auditedChange>

export const auditEvent = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** The person in a browser, a program with a key, Ranklark itself, or whoever opened a link in an email. */
  by: z.enum(['person', 'key', 'house', 'reader']),
  /** The name of the program's key. */
  key: z.string().nullable(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  change: auditedChange,
})
export type AuditEvent = z.infer<typeof auditEvent>

const wrongEvent = "This isn't a valid event ID"
/** Account activity, latest first. */
export const auditQuery = z.object({
  before: textUpTo(15, wrongEvent)
    .regex(/^\d{1,15}$/, wrongEvent)
    .optional(),
})
/** `next` is the following part's `before`; null for the last. */
export const auditLog = z.object({ events: z.array(auditEvent), next: z.string().nullable() })
export type AuditLog = z.infer<typeof auditLog>

export const auditEndpoints = {
  list: signedIn.get('/api/audit-log', { query: auditQuery, answer: auditLog }),
}
