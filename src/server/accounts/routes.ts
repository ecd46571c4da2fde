import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { authEndpoints } from '../../contract/account/auth.ts'
import { userEndpoints, type UserPatch } from '../../contract/account/profile.ts'
import type { Billing, User } from '../../contract/user.ts'
import { noMailText } from '../../core/delivery/no-mail.ts'
import { Refusal } from '../common/errors.ts'
import type { Mailer } from '../mail/mailer.ts'
import { nameTenant } from '../platform/tenant.ts'
import { callerOf, setCookies } from './caller.ts'
import { tooManyLogins } from './passwords/password-hashing.ts'
import { changesWaysIn, countOrdinary, serve } from './serve.ts'
import type { AccountsService, Person, Requester } from './service.ts'
import { twoFactorRoutes } from './two-factor/routes.ts'

export type AccountsRoutesDeps = {
  accounts: AccountsService
  mailer: Mailer
  /** Looks at where a login comes from (audit/hidden-addresses.ts). */
  noteAddress(address: string): void
  /** A person as shown to the browser, with properties and plan. */
  describe(person: Person): Promise<User>
  /** Same for a person who has just changed. */
  described(userId: string): Promise<User>
  /** Revokes access at Google and deletes tokens, properties and selection. */
  disconnectGoogle(person: Requester): Promise<void>
  selectProperty(person: Requester, name: string): Promise<void>
  demo: boolean
  billing: Billing
}

/** Everything about a person's identity (SPEC §7). */
export const accountsRoutes =
  (deps: Omit<AccountsRoutesDeps, 'described'>): FastifyPluginAsync =>
  async (app) => {
    const all: AccountsRoutesDeps = {
      ...deps,
      async described(userId) {
        const person = await deps.accounts.person(userId)
        if (!person) throw new Error('A signed-in person has no row')
        return deps.describe(person)
      },
    }
    sessionRoutes(app, all)
    recoveryRoutes(app, all)
    userRoutes(app, all)
    await app.register(twoFactorRoutes(all))
  }

const areCounted = { limit: { unlimited: 'each request counts as an attempt (attempts.ts)' } } as const

/** Logging in and out. */
function sessionRoutes(
  app: FastifyInstance,
  { accounts, mailer, noteAddress, describe, described, demo, billing }: AccountsRoutesDeps,
): void {
  const kind = { demo, mail: mailer.sends, billing }
  serve(
    app,
    authEndpoints.session,
    async ({ request, reply }) => {
      const signedIn = await accounts.sessionOf(request.headers.cookie)
      if (!signedIn) return { authenticated: false, user: null, ...kind }
      await nameTenant(signedIn.person.id)
      countOrdinary(app, request, signedIn.person)
      setCookies(reply, await accounts.renew(callerOf(request), signedIn.expiresAt))
      return { authenticated: true, user: await describe(signedIn.person), ...kind }
    },
    { limit: 'ordinary' },
  )

  serve(
    app,
    authEndpoints.register,
    async ({ body, request, reply }) => {
      const caller = callerOf(request)
      const userId = await accounts.register(body, caller)
      setCookies(reply, (await accounts.signInAs(userId, caller, 'registration')).cookies)
      return { user: await described(userId) }
    },
    areCounted,
  )

  serve(
    app,
    authEndpoints.login,
    async ({ body, request, reply }) => {
      noteAddress(request.ip)
      const { userId, cookies } = await accounts.login(body, callerOf(request))
      setCookies(reply, cookies)
      return userId === null ? { twoFactor: true as const } : { user: await described(userId) }
    },
    // Those that succeed don't count as attempts, but each hashes a password. An office may begin its day with a hundred.
    { limit: { max: 120, refusal: tooManyLogins } },
  )

  serve(
    app,
    authEndpoints.twoFactor,
    async ({ body, request, reply }) => {
      const { userId, cookies } = await accounts.secondFactor(body, callerOf(request))
      setCookies(reply, cookies)
      if (userId === null) throw new Error('The second step asked for a second step')
      return { user: await described(userId) }
    },
    areCounted,
  )

  serve(
    app,
    authEndpoints.logout,
    async ({ request, reply }) => {
      const person = await accounts.readSession(request.headers.cookie)
      if (person) countOrdinary(app, request, person)
      setCookies(reply, await accounts.logout(callerOf(request)))
      if (person) await accounts.note(person.id, { kind: 'signed-out', details: {} })
    },
    { limit: 'ordinary' },
  )
}

/** Actions proven by an emailed link. */
function recoveryRoutes(app: FastifyInstance, { accounts, mailer }: AccountsRoutesDeps): void {
  function refuseWithoutMail(): void {
    if (!mailer.sends) throw new Refusal(409, noMailText)
  }

  serve(
    app,
    authEndpoints.forgotPassword,
    async ({ body, request }) => {
      refuseWithoutMail()
      await accounts.passwords.forgot(body.email, callerOf(request))
    },
    areCounted,
  )

  serve(app, authEndpoints.resetPassword, ({ body }) => accounts.passwords.reset(body))

  serve(
    app,
    authEndpoints.verifyEmail,
    async ({ person, body }) => ({ email: await accounts.addresses.confirm(person, body.token) }),
    // Each looks up a link that may be made up.
    { limit: { max: 60 } },
  )

  serve(app, authEndpoints.undoEmail, async ({ body }) => {
    const { userId, email } = await accounts.addresses.undo(body.token)
    return { email, token: await accounts.passwords.linkToken(userId, email) }
  })

  serve(app, authEndpoints.sendVerification, async ({ person: { id, email, emailVerified, pendingEmail }, request }) => {
    refuseWithoutMail()
    // No address is waiting to be confirmed.
    if (emailVerified && pendingEmail === null) return
    await accounts.addresses.writeTo(id, await accounts.addresses.countEmail(id, pendingEmail ?? email, request.ip))
  })
}

/** The signed-in person, their password and sessions. */
function userRoutes(app: FastifyInstance, { accounts, describe, described, disconnectGoogle, selectProperty }: AccountsRoutesDeps): void {
  serve(app, userEndpoints.read, ({ person }) => describe(person))

  serve(
    app,
    userEndpoints.change,
    async ({ person, body: { selectedProperty, ...profile }, request }) => {
      // Check first what could be refused: a refused change leaves everything as it was.
      const mayWrite = await accounts.profile.check(person, profile, request.ip)
      if (typeof selectedProperty === 'string') await selectProperty(person, selectedProperty)
      await accounts.profile.update(person, profile, mayWrite)
      if (selectedProperty === null) await disconnectGoogle(person)
      return described(person.id)
    },
    // Selecting a property asks Google for the list, in the account's own name.
    {
      needsProof: async (person, patch) => changesTheWayIn(person, patch) || (await accounts.profile.showsOthers(person, patch)),
      limit: { max: 60 },
    },
  )

  serve(
    app,
    userEndpoints.prove,
    ({ person, body, request }) => accounts.proof.byPassword(person, body.password, callerOf(request)),
    // A correct password doesn't count as an attempt, but takes as long.
    { limit: { max: 30 } },
  )

  serve(
    app,
    userEndpoints.changePassword,
    async ({ person: { id }, body, request, reply }) => {
      const change = () => accounts.passwords.change(id, body, callerOf(request))
      setCookies(reply, await accounts.attempts.changing(id, change))
    },
    changesWaysIn,
  )

  serve(app, userEndpoints.removeGoogleSignIns, async ({ person, request, reply }) => {
    if (!person.hasPassword) throw new Refusal(409, "Set a password first, or you won't be able to log in.")
    setCookies(reply, await accounts.googleSignIns.remove(person, callerOf(request)))
    return described(person.id)
  })

  serve(app, userEndpoints.dismissNotice, ({ person, params }) => accounts.dismissNotice(person.id, params.notice))

  serve(app, userEndpoints.sessions, ({ person, request }) => accounts.sessionsOf(person.id, callerOf(request)))

  serve(
    app,
    userEndpoints.endOtherSessions,
    async ({ person, request, reply }) => setCookies(reply, await accounts.endOtherSessions(person, callerOf(request))),
    { limit: { max: 30 } },
  )
}

function changesTheWayIn({ email, pendingEmail }: Person, patch: UserPatch): boolean {
  const asked = patch.email?.toLowerCase()
  return patch.selectedProperty === null || (asked !== undefined && asked !== email && asked !== pendingEmail)
}
