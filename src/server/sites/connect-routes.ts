import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { screens } from '../../contract/screens.ts'
import { connectRedirects } from '../../contract/sites.ts'
import { type AccountsService, type Caller, callerOf, setCookies } from '../accounts/service.ts'
import type { GoogleOAuth, Grant, Identity } from '../google/oauth.ts'
import type { Vault } from '../platform/secrets.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { SitesService } from './service.ts'

export type ConnectRoutesDeps = {
  accounts: AccountsService
  sites: SitesService
  /** Null until the installation has Google keys. */
  oauth: GoogleOAuth | null
  vault: Vault
  clock: Clock
  log: Log
  secureCookies: boolean
}

/** What is kept, sealed, in the browser between leaving for Google and coming back. */
const trip = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  redirect: z.enum(connectRedirects),
  userId: z.string().nullable(),
  expiresAt: z.number(),
})
type Trip = z.infer<typeof trip>

const cookieName = 'ranklark.google'
const sealContext = 'google-consent-trip'
const tripMs = 15 * 60_000

const startQuery = z.object({ redirect: z.enum(connectRedirects).default('/dashboard').catch('/dashboard') })
// A parameter given twice counts as absent: the person is sent on with an explanation, not stopped by an error page.
const parameter = z.string().optional().catch(undefined)
const callbackQuery = z.object({ state: parameter, code: parameter })

/** To Google's consent page and back: `/api/auth/google` and its callback (SPEC §7). */
export const connectRoutes =
  (deps: ConnectRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const cookieOptions = { path: '/api/auth/google', httpOnly: true, sameSite: 'lax', secure: deps.secureCookies } as const

    app.get('/api/auth/google', { schema: { querystring: startQuery } }, async (request, reply) => {
      if (!deps.oauth) return reply.redirect('/login?error=auth_failed')
      const session = await deps.accounts.sessionOf(request.headers.cookie)
      // Connecting takes a proof of who it is (http/proven-routes.ts); the screen asks for it and comes again.
      if (session && !session.isProven) return reply.redirect(`${pageFor(request.query.redirect)}?connected=prove`)
      const state = randomBytes(24).toString('base64url')
      const { url, codeVerifier } = await deps.oauth.consentPage(state)
      const expiresAt = deps.clock.now().getTime() + tripMs
      const kept: Trip = { state, codeVerifier, redirect: request.query.redirect, userId: session?.person.id ?? null, expiresAt }
      return reply
        .setCookie(cookieName, deps.vault.seal(JSON.stringify(kept), sealContext), { ...cookieOptions, maxAge: tripMs / 1000 })
        .redirect(url)
    })

    app.get('/api/auth/google/callback', { schema: { querystring: callbackQuery } }, async (request, reply) => {
      const kept = readTrip(deps, request.cookies[cookieName])
      void reply.clearCookie(cookieName, cookieOptions)
      const person = await deps.accounts.readSession(request.headers.cookie)
      const back = (outcome: string) => reply.redirect(outcome)
      // Only the browser that left may come back, signed in as the person who left.
      if (!kept || !sameText(kept.state, request.query.state ?? '') || kept.userId !== (person?.id ?? null))
        return back(failure(person !== null, kept))
      if (!deps.oauth || request.query.code === undefined) return back(failure(person !== null, kept))

      const answer = await deps.oauth.exchange(request.query.code, kept.codeVerifier)
      if (!answer.ok) {
        deps.log.warn({ kind: answer.problem.kind, detail: answer.problem.detail }, 'Google sign-in failed')
        return back(failure(person !== null, kept))
      }
      if (person) return back(await connect(deps, person.id, answer.value, kept.redirect))
      const visit = await signInWithGoogle(deps, reply, callerOf(request), answer.value.identity)
      if ('place' in visit) return back(visit.place)
      // Somebody new chooses a plan first (SPEC §1), unless they are on their way through the onboarding.
      const onward = visit.was === 'unknown' && kept.redirect !== screens.selectSites ? screens.choosePlan : kept.redirect
      const place = await connect(deps, visit.userId, answer.value, onward)
      // Only now does the Google account open this one: not before a second factor, nor without the permission.
      if (visit.was === 'unlinked' && (await deps.sites.ownerOfGoogleAccount(answer.value.identity.sub)) === visit.userId)
        await deps.accounts.tellGoogleLinked(visit.userId)
      return back(place)
    })
  }

async function connect(
  deps: ConnectRoutesDeps,
  userId: string,
  { identity, grant }: { identity: Identity; grant: Grant },
  redirect: string,
): Promise<string> {
  const outcome = await deps.sites.connect(userId, identity, grant)
  return `${pageFor(redirect)}?connected=${outcome === 'connected'}`
}

/** Where somebody who is signed in wants to be. */
const pageFor = (redirect: string): string => (redirect === '/login' ? screens.dashboard : redirect)

type Visit = { userId: string; was: 'linked' | 'unlinked' | 'unknown' } | { place: string }

/**
 * A visitor who comes from Google: the owner of that Google account, the one who confirmed the same address, or a new
 * person. Somebody with a second factor is sent to enter it, and their Google account stays as it was.
 */
async function signInWithGoogle(deps: ConnectRoutesDeps, reply: FastifyReply, caller: Caller, identity: Identity): Promise<Visit> {
  if (!identity.emailVerified) return { place: '/login?error=auth_failed' }
  const owner = await deps.sites.ownerOfGoogleAccount(identity.sub)
  const found = owner === null ? await deps.accounts.forGoogle(identity.email) : { userId: owner, was: 'linked' as const }
  if (found === 'confirm_first') return { place: '/login?error=confirm_first' }
  const { userId, cookies } = await deps.accounts.signInAs(found.userId, caller, 'google')
  setCookies(reply, cookies)
  return userId === null ? { place: '/login?two-factor=1' } : found
}

const failure = (signedIn: boolean, kept: Trip | null): string =>
  signedIn && kept && kept.redirect !== '/login'
    ? `${kept.redirect}?connected=false`
    : signedIn
      ? '/dashboard?connected=false'
      : '/login?error=auth_failed'

function readTrip(deps: ConnectRoutesDeps, cookie: string | undefined): Trip | null {
  if (cookie === undefined) return null
  try {
    const kept = trip.parse(JSON.parse(deps.vault.open(cookie, sealContext)))
    return kept.expiresAt > deps.clock.now().getTime() ? kept : null
  } catch {
    return null
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
