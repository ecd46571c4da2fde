import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { z } from 'zod'
import { screens } from '../../contract/screens.ts'
import { connectRedirects, googleEndpoints, type ConsentPurpose, consentPurposes } from '../../contract/sites.ts'
import { firstScreen } from '../../core/accounts/first-screen.ts'
import {
  type AccountsService,
  type Caller,
  callerOf,
  cookiesOf,
  cookieNameOf,
  type Person,
  type Requester,
  type SessionPerson,
  serve,
  setCookies,
} from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { GoogleIdentity, GoogleOAuth, Grant } from '../google/oauth.ts'
import { sameText, type Vault } from '../platform/secrets.ts'
import type { Clock } from '../platform/clock.ts'
import { createFairShare } from '../platform/fair-share.ts'
import type { Log } from '../platform/log.ts'
import { tenantNow } from '../platform/tenant.ts'
import type { SitesService } from './service.ts'

export type ConnectRoutesDeps = {
  accounts: AccountsService
  sites: SitesService
  /** Null without Google keys. */
  oauth: GoogleOAuth | null
  vault: Vault
  clock: Clock
  log: Log
  secureCookies: boolean
}

/** State kept encrypted in the browser between leaving for Google and returning. */
const trip = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  purpose: z.enum(consentPurposes),
  redirect: z.enum(connectRedirects),
  /** The session that left; null for a visitor. */
  session: z.string().nullable(),
  expiresAt: z.number(),
})
type Trip = z.infer<typeof trip>

const loginFailed = '/login?error=auth_failed'
const sealContext = 'google-consent-trip'
const tripMs = 15 * 60_000

/** How many returns ask Google at once: its limit is for the whole installation. */
const exchangesAtOnce = { places: 20, perTenant: 2, waitingPerTenant: 20 }

type Brought = { identity: GoogleIdentity; grant: Grant }

/** To Google's consent page and back (SPEC §7). */
export const connectRoutes =
  (deps: ConnectRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const { accounts } = deps
    const cookieName = cookieNameOf('google', deps.secureCookies)
    const exchanges = createFairShare(exchangesAtOnce)
    // For the whole site, as browsers require for names starting with __Host-.
    const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: deps.secureCookies } as const

    serve(app, googleEndpoints.start, async ({ query: { redirect, for: purpose }, request, reply }) => {
      if (!deps.oauth) return reply.redirect(loginFailed)
      const session = await accounts.sessionOf(request.headers.cookie)
      const isProven = session?.isProven ?? false
      // People without a password prove it at Google, on the same trip.
      const isAsked = session !== null && !isProven && purpose !== 'proof' && (session.person.hasPassword || purpose === 'sign-in')
      if (isAsked) return reply.redirect(outcomeOf(redirect, purpose, 'prove'))
      const state = randomBytes(24).toString('base64url')
      const { url, codeVerifier } = await deps.oauth.consentPage(state, session === null || purpose === 'data' ? 'data' : 'identity')
      const expiresAt = deps.clock.now().getTime() + tripMs
      const kept: Trip = {
        state,
        codeVerifier,
        purpose,
        redirect,
        session: session && accounts.sessionMark(callerOf(request)),
        expiresAt,
      }
      return reply
        .setCookie(cookieName, deps.vault.seal(JSON.stringify(kept), sealContext), { ...cookieOptions, maxAge: tripMs / 1000 })
        .redirect(url)
    })

    serve(app, googleEndpoints.callback, async ({ query, request, reply }) => {
      const kept = readTrip(deps, cookiesOf(request.headers.cookie).get(cookieName))
      void reply.clearCookie(cookieName, cookieOptions)
      const session = await accounts.sessionOf(request.headers.cookie)
      const person = session?.person ?? null
      const caller = callerOf(request)
      const back = (outcome: string) => reply.redirect(outcome)
      // Only the browser that left may return, in the session that left.
      if (!kept || !sameText(kept.state, query.state ?? '')) return back(failure(person !== null, kept))
      if (kept.session !== (session && accounts.sessionMark(caller))) {
        // Whoever has ended the other sessions in another tab has a new token (docs/decisions/0120).
        return back(failure(person !== null, kept, kept.session === null ? 'false' : 'renewed'))
      }
      const { oauth } = deps
      const { code } = query
      if (!oauth || code === undefined) return back(failure(person !== null, kept))

      const answer = await exchanges.run(tenantNow(), () => oauth.exchange(code, kept.codeVerifier))
      if (!answer.ok) {
        deps.log.warn({ kind: answer.problem.kind, detail: answer.problem.detail }, 'Google sign-in failed')
        return back(failure(person !== null, kept))
      }
      // Google may take half a minute, in which the session may end.
      if (session) return back((await unlessEnded(completeConsent(deps, session, kept, answer.value, caller))) ?? loginFailed)
      return back(await signIn(deps, reply, kept.redirect, answer.value, caller))
    })
  }

/** Completes what a signed-in person went to Google for. Returns where they go next. */
async function completeConsent(
  deps: ConnectRoutesDeps,
  { person, isProven }: SessionPerson,
  { purpose, redirect }: Trip,
  brought: Brought,
  caller: Caller,
) {
  // With a password, only that proves it: Google decides for itself whether to ask for anything.
  const proves = !person.hasPassword && (await isTheirs(deps, person, brought.identity))
  if (purpose === 'proof') {
    if (proves) await deps.accounts.proof.note(person.id, caller)
    return outcomeOf(redirect, purpose, String(proves))
  }
  if (!isProven && !proves) return outcomeOf(redirect, purpose, 'prove')
  if (purpose === 'sign-in') {
    const done = await deps.accounts.googleSignIns.add(person, brought.identity)
    return outcomeOf(redirect, purpose, done === 'added' ? 'true' : done)
  }
  if (!isProven) await deps.accounts.proof.note(person.id, caller)
  return connect(deps, person, brought, redirect)
}

/** Whether this Google account logs in to an account without a password; if none does, whether it has the account's confirmed address. */
async function isTheirs({ accounts }: ConnectRoutesDeps, person: Person, { sub, email, ownsAddress }: GoogleIdentity): Promise<boolean> {
  if ((await accounts.googleSignIns.ownerOf(sub)) === person.id) return true
  return person.googleSignIns.length === 0 && person.emailVerified && ownsAddress && email.toLowerCase() === person.email
}

async function connect(deps: ConnectRoutesDeps, person: Requester, { identity, grant }: Brought, redirect: string): Promise<string> {
  const outcome = await deps.sites.connect(person, identity, grant)
  return outcomeOf(redirect, 'data', String(outcome === 'connected'))
}

/** Logs in a visitor from Google. Returns where they go next. */
async function signIn(deps: ConnectRoutesDeps, reply: FastifyReply, redirect: string, brought: Brought, caller: Caller): Promise<string> {
  const { accounts, sites } = deps
  const { identity } = brought
  const owner = await accounts.googleSignIns.ownerOf(identity.sub)
  const found =
    owner === null
      ? await accounts.forGoogle(identity, (await sites.ownerOfGoogleAccount(identity.sub)) !== null, caller)
      : ({ userId: owner, was: 'linked' } as const)
  if (typeof found === 'string') return `/login?error=${found}`
  const begun = await unlessEnded(accounts.signInAs(found.userId, caller, 'google'))
  if (begun === null) return loginFailed
  const { userId, cookies } = begun
  const session = userId === null ? null : await accounts.sessionBegunBy(cookies)
  if (userId !== null && session === null) return loginFailed
  // Only now, after any second factor.
  const isLinked = found.was !== 'unlinked' || session === null || (await link(accounts, { ...session.person, ...found }, identity))
  // Removed, or the account taken back, while this login was on its way.
  if (!isLinked || (found.was === 'linked' && (await accounts.googleSignIns.ownerOf(identity.sub)) !== found.userId)) {
    await accounts.takeBack(found.userId, cookies)
    return loginFailed
  }
  setCookies(reply, cookies)
  if (session === null) return '/login?two-factor=1'
  const { person } = session
  const wanted = redirect === screens.login ? firstScreen(await sites.monitored(person.id)) : redirect
  // Logging in doesn't connect: another account's data may be synced here, or none on purpose.
  if (found.was !== 'unknown' && (await sites.connectedAccount(person.id)) !== identity.sub) return wanted
  // New people choose a plan first (SPEC §1), unless they are in the middle of onboarding.
  const onward = found.was === 'unknown' && redirect !== screens.selectSites ? screens.choosePlan : wanted
  return (await unlessEnded(connect(deps, person, brought, onward))) ?? loginFailed
}

/**
 * Lets a Google account log in to the account that has its address.
 * @returns false if that account's access or the login's session ended, its address changed or another account took it since it was found,
 * or the account has no additions left today
 */
const link = async (accounts: AccountsService, person: Requester, identity: GoogleIdentity): Promise<boolean> =>
  (await unlessEnded(accounts.googleSignIns.add(person, identity, 'address'))) === 'added'

/** Null if access to the account ended meanwhile. */
async function unlessEnded<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null
    throw error
  }
}

/** The page a signed-in person wants. */
const pageFor = (redirect: string): string => (redirect === screens.login ? screens.dashboard : redirect)

/** The outcome of a trip to Google, for the person's next screen. */
function outcomeOf(redirect: string, purpose: ConsentPurpose, outcome: string): string {
  if (purpose === 'proof') return `${screens.proven}?proven=${outcome}`
  return `${pageFor(redirect)}?${purpose === 'data' ? 'connected' : 'sign-in'}=${outcome}`
}

const failure = (signedIn: boolean, kept: Trip | null, outcome: 'false' | 'renewed' = 'false'): string =>
  signedIn ? outcomeOf(kept?.redirect ?? screens.dashboard, kept?.purpose ?? 'data', outcome) : loginFailed

function readTrip(deps: ConnectRoutesDeps, cookie: string | undefined): Trip | null {
  if (cookie === undefined) return null
  try {
    const kept = trip.parse(JSON.parse(deps.vault.open(cookie, sealContext)))
    return kept.expiresAt > deps.clock.now().getTime() ? kept : null
  } catch {
    return null
  }
}
