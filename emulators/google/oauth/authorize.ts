import { html, redirect } from '../../lib/http.ts'
import type { Call, Reply } from '../../lib/http.ts'
import type { Account } from '../accounts.ts'
import type { World } from '../world.ts'
import { parseAuthorize } from './authorize-request.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import { consentPage, problemPage } from './consent-page.ts'
import { isOptional } from './scopes.ts'

const SESSION_COOKIE = 'stand_in_account'

function backTo(request: AuthorizeRequest, answer: Record<string, string>): string {
  const url = new URL(request.redirectUri)
  if (request.state !== null) url.searchParams.set('state', request.state)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return url.href
}

/** The account the browser signed in with last, according to its cookie. */
function signedIn(world: World, call: Call): string | null {
  const value = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([^;]+)`).exec(call.headers.cookie ?? '')?.[1]
  const email = value === undefined ? null : decodeURIComponent(value)
  return email !== null && world.accounts.has(email) ? email : null
}

/** The accounts to choose from: all but the hidden ones, unless one of those is requested. */
function offered(world: World, chosen: string | null): Account[] {
  return [...world.accounts.values()].filter((account) => !account.hidden || account.email === chosen)
}

/** Whether the account has already agreed to everything requested, so that the page needn't be shown. */
function agreedBefore(world: World, request: AuthorizeRequest, email: string): boolean {
  const agreed = world.tokens.consentOf(email)
  return !request.prompts.includes('consent') && request.scopes.every((scope) => agreed.includes(scope))
}

/** Redirects the browser back with a code. A refresh token comes with it only if consent was shown. */
function grant(world: World, request: AuthorizeRequest, email: string, wanted: readonly string[], shown: boolean): Reply {
  const before = request.includeGranted ? world.tokens.consentOf(email) : []
  const scopes = [...new Set([...wanted, ...before])]
  if (shown) world.tokens.agree(email, wanted)
  const code = world.tokens.issueCode({
    account: email,
    scopes,
    redirectUri: request.redirectUri,
    challenge: request.challenge,
    plainChallenge: request.plainChallenge,
    offline: request.offline && shown,
    nonce: request.nonce,
    expiresAt: Date.now() + world.codeSeconds * 1000,
  })
  const answer = { iss: 'https://accounts.google.com', code, scope: scopes.join(' '), authuser: '0', prompt: shown ? 'consent' : 'none' }
  const cookie = `${SESSION_COOKIE}=${encodeURIComponent(email)}; Path=/o/oauth2; HttpOnly; SameSite=Lax`
  return redirect(backTo(request, answer), { 'set-cookie': cookie })
}

/** GET and POST of the authorization page. */
export function handleAuthorize(world: World, call: Call): Reply {
  const request = parseAuthorize(call.url.searchParams, world)
  if ('status' in request) return html(request.status, problemPage(request))
  return call.method === 'POST' ? submitted(world, call, request) : asked(world, call, request)
}

function asked(world: World, call: Call, request: AuthorizeRequest): Reply {
  const hinted = [...world.accounts.values()].find((account) => account.email === request.loginHint || account.sub === request.loginHint)
  const email = hinted?.email ?? signedIn(world, call)
  if (email !== null && !request.prompts.includes('select_account') && agreedBefore(world, request, email)) {
    return grant(world, request, email, request.scopes, false)
  }
  if (request.prompts.includes('none'))
    return redirect(backTo(request, { error: email === null ? 'login_required' : 'interaction_required' }))
  return html(200, consentPage(call.url.pathname + call.url.search, request, offered(world, email), email))
}

function submitted(world: World, call: Call, request: AuthorizeRequest): Reply {
  const form = new URLSearchParams(call.body)
  if (form.get('action') !== 'continue') return redirect(backTo(request, { error: 'access_denied' }))
  const email = form.get('account') ?? ''
  if (!world.accounts.has(email)) return html(200, consentPage(call.url.pathname + call.url.search, request, offered(world, null), null))
  if (agreedBefore(world, request, email)) return grant(world, request, email, request.scopes, false)
  const ticked = form.getAll('scope')
  const scopes = request.scopes.filter((scope) => !isOptional(scope) || ticked.includes(scope))
  // With every box unchecked and no login requested, there is nothing to grant.
  if (scopes.length === 0) return redirect(backTo(request, { error: 'access_denied' }))
  return grant(world, request, email, scopes, true)
}
