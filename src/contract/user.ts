import { z } from 'zod'
import { orElse } from './common.ts'

/** Tokens never leave the server: what the browser sees is only whether there is one. */
const maskedToken = z.literal('redacted').nullable()

export const planId = z.enum(['free', 'pro', 'agency'])
export type PlanId = z.infer<typeof planId>
export type PaidPlan = Exclude<PlanId, 'free'>
/** What counts for somebody: null where nothing is sold, and so nobody has a plan. */
export type HeldPlan = PlanId | null

/** Whether an installation sells plans (`stripe`), or sells nothing and gives everybody everything (`off`). */
export const billing = z.enum(['stripe', 'off'])
export type Billing = z.infer<typeof billing>

export const property = z.object({
  id: z.string(),
  /** `sc-domain:example.com`, `https://example.com/`, or the name given at import. */
  name: z.string(),
  /** `google` properties are synced; `imported` ones hold uploaded files. */
  kind: orElse(z.enum(['google', 'imported']), 'google'),
  /** Monitored properties are synced, alerted on, and counted against the site limit. */
  monitored: orElse(z.boolean(), false),
  /** Monitored until the site limit no longer covered it; nothing of it is lost. */
  paused: orElse(z.boolean(), false),
  permissionLevel: orElse(z.enum(['siteOwner', 'siteFullUser', 'siteRestrictedUser', 'siteUnverifiedUser']).nullable(), null),
})
export type Property = z.infer<typeof property>

export const user = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  /** Whether the person has shown that this address is theirs. */
  emailVerified: z.boolean(),
  /** The address that takes the place of `email` once it is confirmed; null while none is to. */
  pendingEmail: z.string().nullable(),
  /** False for somebody who only ever logged in with Google. */
  hasPassword: z.boolean(),
  twoFactorEnabled: z.boolean(),
  /** The Google accounts that log in here, by their address; syncing with one does not make it one of them. */
  googleSignIns: z.array(z.string()),
  /** The plan in force; null where nothing is sold (`billing: off`), and so nobody has a plan. */
  plan: planId.nullable(),
  /** False while a plan is still to be chosen for the first time; onboarding begins there. */
  planChosen: z.boolean(),
  /** How many sites may be monitored (null: as many as there are), how many are, and how many are paused because there were more. */
  siteLimit: z.number().int().nullable(),
  sitesMonitored: z.number().int(),
  sitesPaused: z.number().int(),
  selectedProperty: z.string().nullable(),
  accessToken: maskedToken,
  refreshToken: maskedToken,
  gscProperties: z.array(property).nullable(),
  /** True on an installation that runs against the local stand-ins. */
  demo: z.boolean(),
})
export type User = z.infer<typeof user>

export const userAnswer = z.object({ user })

/**
 * Signed in or not, it says what kind of installation this is: `demo` is true where it runs against the local stand-ins, `mail`
 * where it can send any.
 */
export const session = z.object({ authenticated: z.boolean(), user: user.nullable(), demo: z.boolean(), mail: z.boolean(), billing })
export type Session = z.infer<typeof session>
