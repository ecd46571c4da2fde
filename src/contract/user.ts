import { z } from 'zod'

/** Tokens never leave the server: what the browser sees is only whether there is one. */
const maskedToken = z.literal('redacted').nullable()

export const planId = z.enum(['free', 'pro', 'agency'])
export type PlanId = z.infer<typeof planId>

export const property = z.object({
  id: z.string(),
  /** `sc-domain:example.com`, `https://example.com/`, or the name given at import. */
  name: z.string(),
  /** `google` properties are synced; `imported` ones hold uploaded files. */
  kind: z.enum(['google', 'imported']),
  /** Monitored properties are synced, alerted on, and counted against the plan's site limit. */
  monitored: z.boolean(),
  /** Monitored until the plan no longer covered it; nothing of it is lost. */
  paused: z.boolean(),
  permissionLevel: z.enum(['siteOwner', 'siteFullUser', 'siteRestrictedUser', 'siteUnverifiedUser']).nullable(),
})
export type Property = z.infer<typeof property>

export const user = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  /** Whether the person has shown that this address is theirs. */
  emailVerified: z.boolean(),
  /** False for somebody who only ever signed in with Google. */
  hasPassword: z.boolean(),
  twoFactorEnabled: z.boolean(),
  plan: planId,
  /** False until a plan was chosen for the first time; onboarding begins there. */
  planChosen: z.boolean(),
  /** Sites the plan allows, how many are monitored now, and how many the plan no longer covers. */
  siteLimit: z.number().int(),
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

/** `demo` is true on an installation that runs against the local stand-ins, signed in or not. */
export const session = z.object({ authenticated: z.boolean(), user: user.nullable(), demo: z.boolean() })
export type Session = z.infer<typeof session>
