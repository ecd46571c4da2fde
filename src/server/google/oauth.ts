import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import { z } from 'zod'
import { fail, type GoogleResult, succeed } from './problem.ts'

export const searchConsoleScope = 'https://www.googleapis.com/auth/webmasters.readonly'
const identityScopes = ['openid', 'email']

export type OAuthConfig = {
  clientId: string
  clientSecret: string
  /** The page for giving consent. */
  authUrl: string
  /** Exchanges codes and refresh tokens; `revoke` is its sibling, as at Google. */
  tokenUrl: string
  /** Our callback; a function because the system may pick the port. */
  redirectUri: () => string
}

export type Grant = {
  accessToken: string
  accessTokenExpiresAt: Date
  /** Absent if Google skipped its consent page: ours stays valid. */
  refreshToken?: string
  scope: string
}

export type GoogleIdentity = {
  sub: string
  email: string
  /** Whether the Google account's holder also reads the address's email now, not only when it was verified. */
  ownsAddress: boolean
}

/** Why somebody is sent to Google: to share their Search Console data, or only to prove who they are. */
export type ConsentScope = 'data' | 'identity'

export type GoogleOAuth = {
  /** The consent page's URL and the PKCE verifier to keep until the person returns. */
  consentPage(state: string, scope: ConsentScope): Promise<{ url: string; codeVerifier: string }>
  /** Exchanges the callback's code for tokens and returns whose they are. */
  exchange(code: string, codeVerifier: string): Promise<GoogleResult<{ grant: Grant; identity: GoogleIdentity }>>
  refresh(refreshToken: string): Promise<GoogleResult<Grant>>
  /** Best effort: a dead token counts as revoked. */
  revoke(token: string): Promise<GoogleResult<null>>
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expiry_date: z.number(),
  refresh_token: z.string().min(1).nullish(),
  scope: z.string().default(''),
  id_token: z.string().nullish(),
})

const idTokenClaims = z.object({
  iss: z.enum(['https://accounts.google.com', 'accounts.google.com']),
  aud: z.string(),
  sub: z.string().min(1),
  email: z.string().min(3),
  email_verified: z.boolean().default(false),
  hd: z.string().min(1).optional(),
})

/** Google's OAuth 2.0 for web servers, with PKCE (S256) and offline access. */
export function createGoogleOAuth(config: OAuthConfig): GoogleOAuth {
  const client = () =>
    new OAuth2Client({
      clientId: config.clientId,
      clientSecret: config.clientSecret,
      redirectUri: config.redirectUri(),
      endpoints: {
        oauth2AuthBaseUrl: config.authUrl,
        oauth2TokenUrl: config.tokenUrl,
        oauth2RevokeUrl: new URL('revoke', config.tokenUrl).href,
      },
      transporterOptions: { timeout: 30_000, retry: false },
    })

  return {
    async consentPage(state, scope) {
      const oauth = client()
      const { codeVerifier, codeChallenge } = await oauth.generateCodeVerifierAsync()
      if (!codeChallenge) throw new Error('No PKCE challenge was made')
      const url = oauth.generateAuthUrl({
        ...(scope === 'data'
          ? { access_type: 'offline', prompt: 'consent', include_granted_scopes: true, scope: [...identityScopes, searchConsoleScope] }
          : { access_type: 'online', prompt: 'select_account', scope: identityScopes }),
        state,
        code_challenge: codeChallenge,
        code_challenge_method: CodeChallengeMethod.S256,
      })
      return { url, codeVerifier }
    },
    exchange: (code, codeVerifier) =>
      attempt(async () => {
        const { tokens } = await client().getToken({ code, codeVerifier })
        const answer = tokenAnswer.parse(tokens)
        return { grant: toGrant(answer), identity: identityOf(answer.id_token ?? '', config.clientId) }
      }),
    refresh: (refreshToken) =>
      attempt(async () => {
        const oauth = client()
        oauth.setCredentials({ refresh_token: refreshToken })
        const { credentials } = await oauth.refreshAccessToken()
        return toGrant(tokenAnswer.parse(credentials))
      }),
    revoke: (token) =>
      attempt(async () =>
        client()
          .revokeToken(token)
          .then(() => null),
      ),
  }
}

function toGrant(answer: z.infer<typeof tokenAnswer>): Grant {
  return {
    accessToken: answer.access_token,
    accessTokenExpiresAt: new Date(answer.expiry_date),
    scope: answer.scope,
    ...(answer.refresh_token ? { refreshToken: answer.refresh_token } : {}),
  }
}

/**
 * Claims of an ID token straight from the token endpoint over TLS, so its signature need not be checked (OpenID Connect Core 3.1.3.7, point
 * 6); issuer and audience are.
 */
function identityOf(idToken: string, clientId: string): GoogleIdentity {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')
  const claims = idTokenClaims.parse(JSON.parse(payload))
  if (claims.aud !== clientId) throw new Error('The ID token was issued for another application')
  // Google only knows that other addresses were verified once; they may have changed hands since.
  const isGoogles = /@gmail\.com$/i.test(claims.email) || claims.hd !== undefined
  return { sub: claims.sub, email: claims.email, ownsAddress: claims.email_verified && isGoogles }
}

const httpError = z.object({
  response: z.object({ status: z.number(), data: z.unknown() }),
})
const oauthErrorBody = z.object({ error: z.string(), error_description: z.string().default('') })

async function attempt<T>(call: () => Promise<T>): Promise<GoogleResult<T>> {
  try {
    return succeed(await call())
  } catch (error) {
    const http = httpError.safeParse(error)
    if (!http.success) return fail('unavailable', error instanceof Error ? error.message : String(error))
    const { status, data } = http.data.response
    const body = oauthErrorBody.safeParse(data)
    const detail = body.success ? body.data.error_description || body.data.error : `HTTP ${status}`
    if (body.success && body.data.error === 'invalid_grant') return fail('token_revoked', detail)
    if (status === 429) return fail('rate_limited', detail)
    return fail(status >= 500 ? 'unavailable' : 'bad_request', detail)
  }
}
