import { createHash } from 'node:crypto'
import { json } from '../../lib/http.ts'
import type { Call, Reply } from '../../lib/http.ts'
import type { World } from '../world.ts'
import type { Code } from './tokens.ts'

const NO_STORE = { 'cache-control': 'no-cache, no-store, max-age=0, must-revalidate', pragma: 'no-cache' }

function refuse(status: 400 | 401, error: string, description: string): Reply {
  return json(status, { error, error_description: description }, NO_STORE)
}

interface Client {
  readonly id: string | null
  readonly secret: string | null
}

/** The client's id and secret, from the body or from Basic authentication. */
function clientOf(call: Call, form: URLSearchParams): Client {
  const basic = /^Basic (.+)$/i.exec(call.headers.authorization ?? '')?.[1]
  if (basic === undefined) return { id: form.get('client_id'), secret: form.get('client_secret') }
  const [id = '', ...secret] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  return { id: decodeURIComponent(id), secret: decodeURIComponent(secret.join(':')) }
}

function wrongClient(world: World, client: Client): Reply | null {
  if (!client.id) return refuse(400, 'invalid_request', 'Could not determine client ID from request.')
  if (client.id !== world.clientId) return refuse(401, 'invalid_client', 'The OAuth client was not found.')
  if (!client.secret) return refuse(400, 'invalid_request', 'client_secret is missing.')
  if (client.secret !== world.clientSecret) return refuse(401, 'invalid_client', 'The provided client secret is invalid.')
  return null
}

/** POST /token. */
export function handleToken(world: World, call: Call): Reply {
  if (call.method !== 'POST') return refuse(400, 'invalid_request', 'Request must be a POST.')
  const form = new URLSearchParams(call.body)
  const grantType = form.get('grant_type')
  if (!grantType) return refuse(400, 'invalid_request', 'Missing required parameter: grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    return refuse(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`)
  }
  const refused = wrongClient(world, clientOf(call, form))
  if (refused) return refused
  return grantType === 'authorization_code' ? exchangeCode(world, form) : refreshAccess(world, form)
}

/** Google's error about the PKCE verifier, or null if it is right or none was announced. */
function pkceProblem(code: Code, verifier: string | null): string | null {
  if (code.challenge === null) return verifier === null ? null : 'code_verifier or verifier is not needed.'
  if (!verifier) return 'Missing code verifier.'
  const proof = code.plainChallenge ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return proof === code.challenge ? null : 'Invalid code verifier.'
}

function exchangeCode(world: World, form: URLSearchParams): Reply {
  const text = form.get('code')
  if (!text) return refuse(400, 'invalid_request', 'Missing required parameter: code')
  if (!text.startsWith('4/')) return refuse(400, 'invalid_grant', 'Malformed auth code.')
  const code = world.tokens.takeCode(text)
  if (!code || code.expiresAt <= Date.now()) return refuse(400, 'invalid_grant', 'Bad Request')
  if (form.get('redirect_uri') !== code.redirectUri) return refuse(400, 'redirect_uri_mismatch', 'Bad Request')
  const wrongProof = pkceProblem(code, form.get('code_verifier'))
  if (wrongProof !== null) return refuse(400, 'invalid_grant', wrongProof)
  const refresh = code.offline ? { refresh_token: world.tokens.issueRefresh(code.account, code.scopes) } : {}
  return json(200, { ...accessAnswer(world, code.account, code.scopes, code.nonce), ...refresh }, NO_STORE)
}

function refreshAccess(world: World, form: URLSearchParams): Reply {
  const text = form.get('refresh_token')
  if (!text) return refuse(400, 'invalid_request', 'Missing required parameter: refresh_token')
  const refresh = world.tokens.refresh(text)
  if (!refresh) return refuse(400, 'invalid_grant', 'Bad Request')
  if (refresh.dead) return refuse(400, 'invalid_grant', 'Token has been expired or revoked.')
  return json(200, accessAnswer(world, refresh.account, refresh.scopes, null), NO_STORE)
}

/** A new access token, as the token endpoint returns it; with an id token if sign-in was requested. */
export function accessAnswer(world: World, email: string, scopes: readonly string[], nonce: string | null) {
  const seconds = world.accessTokenSeconds
  const account = world.accounts.get(email)
  const idToken = account && scopes.includes('openid') ? { id_token: world.signer.sign(account, world.clientId, nonce, Date.now()) } : {}
  return {
    access_token: world.tokens.issueAccess(email, scopes, Date.now() + seconds * 1000),
    expires_in: seconds,
    scope: scopes.join(' '),
    token_type: 'Bearer',
    ...idToken,
  }
}

/** POST /revoke: an access or refresh token ends the whole grant it belongs to. */
export function handleRevoke(world: World, call: Call): Reply {
  const text = new URLSearchParams(call.body).get('token') ?? call.url.searchParams.get('token')
  if (call.method !== 'POST' || !text) return refuse(400, 'invalid_request', 'Missing required parameter: token')
  const refresh = world.tokens.refresh(text)
  const account = refresh && !refresh.dead ? refresh.account : world.tokens.access(text)?.account
  if (account === undefined) return refuse(400, 'invalid_token', 'Token expired or revoked')
  world.tokens.revoke(account)
  return json(200, {}, NO_STORE)
}
