import { z } from 'zod'
import { orElse } from './common.ts'

/** Tokens never leave the server: the browser only sees whether there is one. */
const maskedToken = z.literal('redacted').nullable()

export const planId = z.enum(['free', 'pro', 'agency'])
export type PlanId = z.infer<typeof planId>
export type PaidPlan = Exclude<PlanId, 'free'>
/** The plan that applies to somebody: null if nothing is sold, so that nobody has a plan. */
export type HeldPlan = PlanId | null

/** Whether an installation sells plans (`stripe`), or sells nothing and includes everything for everybody (`off`). */
export const billing = z.enum(['stripe', 'off'])
export type Billing = z.infer<typeof billing>

export const property = z.object({
  id: z.string(),
  /** `sc-domain:example.com`, `https://example.com/`, or the name chosen at import. */
  name: z.string(),
  /** `google` properties are synced; `imported` ones hold uploaded files. */
  kind: orElse(z.enum(['google', 'imported']), 'google'),
  /** Monitored properties are synced, get alerts, and count toward the site limit. */
  monitored: orElse(z.boolean(), false),
  /** Monitored until the site limit no longer included it; nothing is lost. */
  paused: orElse(z.boolean(), false),
  permissionLevel: orElse(z.enum(['siteOwner', 'siteFullUser', 'siteRestrictedUser', 'siteUnverifiedUser']).nullable(), null),
})
export type Property = z.infer<typeof property>

/** A one-time notice in the app: that all of somebody's properties got the rule about unusual changes. */
export const notice = z.enum(['unusual_changes'])
export type Notice = z.infer<typeof notice>

export const user = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  /** Whether the person has proven that this address is theirs. */
  emailVerified: z.boolean(),
  /** The address that replaces `email` once confirmed; null without one. */
  pendingEmail: z.string().nullable(),
  /** False for people who only ever logged in with Google. */
  hasPassword: z.boolean(),
  twoFactorEnabled: z.boolean(),
  /** The addresses of the Google accounts that log in here; syncing with one doesn't make it one of them. */
  googleSignIns: z.array(z.string()),
  /** The plan in force; null if nothing is sold (`billing: off`), so that nobody has a plan. */
  plan: planId.nullable(),
  /** False until a plan is chosen for the first time; onboarding begins there. */
  planChosen: z.boolean(),
  /** How many sites may be monitored (null: any number), how many are, and how many are paused because there were more. */
  siteLimit: z.number().int().nullable(),
  sitesMonitored: z.number().int(),
  sitesPaused: z.number().int(),
  selectedProperty: z.string().nullable(),
  accessToken: maskedToken,
  refreshToken: maskedToken,
  gscProperties: z.array(property).nullable(),
  /** Only if there are any they haven't dismissed. */
  notices: z.array(notice).optional(),
  /** True on an installation that uses the local stand-ins. */
  demo: z.boolean(),
})
export type User = z.infer<typeof user>

export const userAnswer = z.object({ user })

/** Signed in or not, it describes the installation: `demo` is true if it uses the local stand-ins, `mail` if it can send email. */
export const session = z.object({ authenticated: z.boolean(), user: user.nullable(), demo: z.boolean(), mail: z.boolean(), billing })
export type Session = z.infer<typeof session>
