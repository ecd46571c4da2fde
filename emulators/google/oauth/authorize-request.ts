import { normaliseScopes } from './scopes.ts'

/** What an application requests when it sends somebody to the consent page. */
export interface AuthorizeRequest {
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string | null
  readonly challenge: string | null
  readonly plainChallenge: boolean
  readonly offline: boolean
  readonly prompts: readonly string[]
  readonly loginHint: string | null
  readonly includeGranted: boolean
  readonly nonce: string | null
}

/** Shown to the user instead of redirecting: Google never redirects with these errors. */
export interface AuthorizeProblem {
  readonly status: 400 | 401
  readonly code: string
  readonly text: string
}

interface Registered {
  readonly clientId: string
  readonly redirectUris: readonly string[] | null
}

function problem(status: 400 | 401, code: string, text: string): AuthorizeProblem {
  return { status, code, text }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).hash === ''
}

/** Reads the query string of an authorization request. */
export function parseAuthorize(params: URLSearchParams, registered: Registered): AuthorizeRequest | AuthorizeProblem {
  const clientId = params.get('client_id')
  if (!clientId) return problem(400, 'invalid_request', 'Missing required parameter: client_id')
  if (clientId !== registered.clientId) return problem(401, 'invalid_client', 'The OAuth client was not found.')
  const redirectUri = params.get('redirect_uri')
  if (!redirectUri) return problem(400, 'invalid_request', 'Missing required parameter: redirect_uri')
  if (!isWebAddress(redirectUri) || (registered.redirectUris && !registered.redirectUris.includes(redirectUri))) {
    return problem(
      400,
      'redirect_uri_mismatch',
      `The redirect URI in the request, ${redirectUri}, does not match the ones authorized for the OAuth client.`,
    )
  }
  const responseType = params.get('response_type')
  if (!responseType) return problem(400, 'invalid_request', 'Missing required parameter: response_type')
  if (responseType !== 'code') return problem(400, 'unsupported_response_type', `Invalid response_type: ${responseType}`)
  const scopes = normaliseScopes(params.get('scope') ?? '')
  if (scopes.length === 0) return problem(400, 'invalid_request', 'Missing required parameter: scope')
  const accessType = params.get('access_type') ?? 'online'
  if (accessType !== 'online' && accessType !== 'offline')
    return problem(400, 'invalid_request', `Invalid parameter value for access_type: ${accessType}`)
  const challenge = params.get('code_challenge')
  const method = params.get('code_challenge_method') ?? 'plain'
  if (challenge !== null && method !== 'S256' && method !== 'plain') {
    return problem(400, 'invalid_request', `Invalid parameter value for code_challenge_method: ${method}`)
  }
  return {
    redirectUri,
    scopes,
    state: params.get('state'),
    challenge,
    plainChallenge: method === 'plain',
    offline: accessType === 'offline',
    prompts: (params.get('prompt') ?? params.get('approval_prompt')?.replace('force', 'consent') ?? '').split(/\s+/).filter(Boolean),
    loginHint: params.get('login_hint'),
    includeGranted: params.get('include_granted_scopes') === 'true',
    nonce: params.get('nonce'),
  }
}
