import { loginForm } from '../../../src/contract/account/auth.ts'
import { passwordChange, proof, type SignedInAt, userPatch, type UserPatch } from '../../../src/contract/account/profile.ts'
import type { AuditedChange, AuditEvent } from '../../../src/contract/audit.ts'
import type { User } from '../../../src/contract/user.ts'
import { ProofNeeded, Refusal } from '../../../src/server/common/errors.ts'
import type { Desk } from './desk.ts'
import { now, signIn } from './usual.ts'

export const password = 'a-good-password'

/** A user known to the server: their state changes with what they do, and through `change` elsewhere. */
export type Known = { user(): User; change(changes: Partial<User>): User }

/** A signed-in user who changes their profile and selects properties. */
export function knows(desk: Desk, first: User): Known {
  let user = first
  const change = (changes: Partial<User>): User => {
    user = { ...user, ...changes }
    signIn(desk, user)
    return user
  }
  signIn(desk, user)
  desk.answer('PATCH /api/user', ({ body }) => change(profileAfter(user, userPatch.parse(body))))
  desk.answer('POST /api/gsc-properties/select', ({ body }) => ({
    user: change({ selectedProperty: (body as { selectedProperty: string }).selectedProperty }),
  }))
  return { user: () => user, change }
}

/** A new address has to be confirmed; without Google there are no properties. */
function profileAfter(user: User, { accessToken, ...profile }: UserPatch): Partial<User> {
  return {
    ...profile,
    ...(accessToken === null && { accessToken, refreshToken: null, gscProperties: null, sitesMonitored: 0 }),
    ...(profile.email !== undefined && addressAfter(user, profile.email)),
  } as Partial<User>
}

/** A confirmed address stays until the new one is confirmed. */
const addressAfter = (user: User, email: string): Partial<User> =>
  email === user.email
    ? { pendingEmail: null }
    : user.emailVerified
      ? { email: user.email, pendingEmail: email }
      : { email, emailVerified: false }

/** Requires a proof of identity: call `prove` before doing what it protects. */
export function wantsProof(desk: Desk, secret = password): { prove(): void } {
  let isProven = false
  desk.answer('POST /api/user/proof', ({ body }) => {
    if (proof.parse(body).password !== secret) throw new Refusal(403, 'Incorrect password.', 'password')
    isProven = true
    return null
  })
  return {
    prove() {
      if (!isProven) throw new ProofNeeded()
    },
  }
}

/** Nobody is signed in; this user can log in, and out again. */
export function letsIn(desk: Desk, user: User, secret = password): void {
  signIn(desk, null)
  desk.answer('POST /api/auth/login', ({ body }) => {
    const form = loginForm.parse(body)
    if (form.username.toLowerCase() !== user.username || form.password !== secret) throw new Refusal(401, 'Invalid username or password')
    signIn(desk, user)
    return { user }
  })
  letsOut(desk)
}

export function letsOut(desk: Desk): void {
  desk.answer('POST /api/auth/logout', () => {
    signIn(desk, null)
    return null
  })
}

/** This password is required to change the password. */
export function takesPassword(desk: Desk, current = password): void {
  desk.answer('POST /api/user/password', ({ body }) => {
    const given = passwordChange.parse(body).currentPassword
    if (given !== current) throw new Refusal(400, 'Your current password is incorrect.', 'currentPassword')
    return null
  })
}

/** A browser with a login, this one unless specified otherwise. */
export const signedInOf = (change: Partial<SignedInAt> = {}): SignedInAt => ({
  current: true,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36',
  ipAddress: '203.0.113.7',
  signedInAt: new Date(now.getTime() - 3_600_000).toISOString(),
  ...change,
})

/** An account event, by the user in a browser an hour ago. */
export const eventOf = (id: number, change: AuditedChange, origin: Partial<AuditEvent> = {}): AuditEvent => ({
  id: String(id),
  at: new Date(now.getTime() - 3_600_000).toISOString(),
  by: 'person',
  key: null,
  address: '203.0.113.7',
  userAgent: signedInOf().userAgent,
  change,
  ...origin,
})
