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
  permissionLevel: z.enum(['siteOwner', 'siteFullUser', 'siteRestrictedUser', 'siteUnverifiedUser']).nullable(),
})
export type Property = z.infer<typeof property>

export const user = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  plan: planId,
  /** Sites the plan allows, and how many are monitored now. */
  siteLimit: z.number().int(),
  sitesMonitored: z.number().int(),
  selectedProperty: z.string().nullable(),
  accessToken: maskedToken,
  refreshToken: maskedToken,
  gscProperties: z.array(property).nullable(),
  /** True on an installation that runs against the local stand-ins. */
  demo: z.boolean(),
})
export type User = z.infer<typeof user>

export const loginForm = z.object({
  username: z.string().trim().min(3, 'Username must be at least 3 characters').max(64),
  password: z.string().min(6, 'Password must be at least 6 characters').max(256),
})
export type LoginForm = z.infer<typeof loginForm>

export const userAnswer = z.object({ user })

/** `demo` is true on an installation that runs against the local stand-ins, signed in or not. */
export const session = z.object({ authenticated: z.boolean(), user: user.nullable(), demo: z.boolean() })
export type Session = z.infer<typeof session>

/** `PATCH /api/user` that disconnects Google: tokens, properties and selection together. */
export const userPatch = z.object({
  accessToken: z.null(),
  refreshToken: z.null(),
  gscProperties: z.null(),
  selectedProperty: z.null(),
})
