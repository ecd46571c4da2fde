import { expect, test } from 'vitest'
import { readErrorAnswer, retryAfterSeconds } from './error-body.ts'

const classic = (code: number, message: string, reason: string) =>
  JSON.stringify({ error: { code, message, errors: [{ message, domain: 'global', reason }] } })
const modern = (code: number, status: string, message: string, reason?: string) =>
  JSON.stringify({
    error: { code, status, message, ...(reason && { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] }) },
  })

/** Bodies from docs/google-api.md, and how each has to be interpreted. */
test.each([
  ['401', 401, modern(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'), 'token_revoked'],
  ['no permission', 403, classic(403, "User does not have sufficient permission for site 'S'.", 'forbidden'), 'permission_missing'],
  [
    'API off',
    403,
    modern(403, 'PERMISSION_DENIED', 'Google Search Console API has not been used in project 1', 'SERVICE_DISABLED'),
    'api_disabled',
  ],
  ['API off, older form', 403, classic(403, 'Access Not Configured.', 'accessNotConfigured'), 'api_disabled'],
  [
    'scope',
    403,
    modern(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
    'scope_missing',
  ],
  ['scope, by its wording only', 403, modern(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.'), 'scope_missing'],
  ['load quota, 403', 403, classic(403, 'Search Analytics load quota exceeded.', 'quotaExceeded'), 'load_quota'],
  ['load quota, 429', 429, modern(429, 'RESOURCE_EXHAUSTED', 'Search Analytics load quota exceeded.'), 'load_quota'],
  ['rate, 403', 403, classic(403, "Quota exceeded for quota metric 'Queries'", 'quotaExceeded'), 'rate_limited'],
  ['rate, 429', 429, classic(429, 'Rate Limit Exceeded', 'rateLimitExceeded'), 'rate_limited'],
  ['rate, nothing said', 429, '', 'rate_limited'],
  ['our mistake', 400, classic(400, "'BY_PROPERTY' is not a valid aggregation type", 'invalidParameter'), 'bad_request'],
  ['500', 500, classic(500, 'Internal error encountered.', 'backendError'), 'unavailable'],
  ['a proxy in between', 502, '<html>Bad Gateway</html>', 'unavailable'],
  ['a redirect', 302, '', 'unavailable'],
  ["somebody else's 403", 403, '<html>Forbidden</html>', 'permission_missing'],
  ['JSON of another shape', 503, '[]', 'unavailable'],
])('%s', (_name, status, body, kind) => {
  expect(readErrorAnswer(status, body).kind).toBe(kind)
})

test("keeps Google's own words, and limits anybody else's", () => {
  expect(readErrorAnswer(403, classic(403, 'Because.', 'forbidden')).detail).toBe('Because.')
  expect(readErrorAnswer(502, 'x'.repeat(100_000)).detail).toHaveLength(300)
  expect(readErrorAnswer(500, '').detail).toBe('HTTP 500')
})

test('Retry-After comes as seconds or as a date', () => {
  const now = new Date('2026-03-18T12:00:00Z')
  expect(retryAfterSeconds(null, now)).toBeUndefined()
  expect(retryAfterSeconds('90', now)).toBe(90)
  expect(retryAfterSeconds('Wed, 18 Mar 2026 12:01:30 GMT', now)).toBe(90)
  expect(retryAfterSeconds('Wed, 18 Mar 2026 11:00:00 GMT', now)).toBe(0)
  expect(retryAfterSeconds('soon', now)).toBeUndefined()
})
