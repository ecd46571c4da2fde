import { createPublicKey, createVerify } from 'node:crypto'
import type { JsonWebKey } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CHALLENGE, DEMO_ACCOUNT, openBench, VERIFIER } from '../testing.ts'
import type { Answer, Bench } from '../testing.ts'

const BACK = 'http://localhost:3000/callback'
const READONLY = 'https://www.googleapis.com/auth/webmasters.readonly'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.control('POST', 'reset', {}))
afterAll(() => bench.google.close())

async function code(params: Record<string, string> = {}, on = bench): Promise<string> {
  const query = new URLSearchParams({
    client_id: on.google.clientId,
    redirect_uri: BACK,
    response_type: 'code',
    scope: `openid email ${READONLY}`,
    access_type: 'offline',
    prompt: 'consent',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...params,
  })
  const body = new URLSearchParams([
    ['account', DEMO_ACCOUNT],
    ['scope', READONLY],
    ['action', 'continue'],
  ])
  const response = await fetch(`${on.google.oauthUrl}?${query}`, { method: 'POST', redirect: 'manual', body })
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

function client(on = bench): Record<string, string> {
  return { client_id: on.google.clientId, client_secret: on.google.clientSecret }
}

function exchange(text: string, more: Record<string, string> = {}): Promise<Answer> {
  return bench.form('/token', {
    ...client(),
    grant_type: 'authorization_code',
    code: text,
    redirect_uri: BACK,
    code_verifier: VERIFIER,
    ...more,
  })
}

function refresh(token: unknown): Promise<Answer> {
  return bench.form('/token', { ...client(), grant_type: 'refresh_token', refresh_token: String(token) })
}

test('a code becomes tokens: access, refresh and a signed id token', async () => {
  const answer = await exchange(await code({ nonce: 'n-1' }))
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ expires_in: 3599, token_type: 'Bearer' })
  expect(String(answer.body['scope']).split(' ')).toContain(READONLY)
  expect(String(answer.body['refresh_token'])).toMatch(/^1\/\//)
  const [head = '', claims = '', signature = ''] = String(answer.body['id_token']).split('.')
  const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  expect(decoded).toMatchObject({
    iss: 'https://accounts.google.com',
    aud: bench.google.clientId,
    email: DEMO_ACCOUNT,
    email_verified: true,
    nonce: 'n-1',
  })
  expect(Number(decoded['exp'])).toBeGreaterThan(Date.now() / 1000)
  const certs = (await (await fetch(`${bench.google.url}/oauth2/v3/certs`)).json()) as { keys: JsonWebKey[] }
  const key = createPublicKey({ key: certs.keys[0] ?? {}, format: 'jwk' })
  expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(key, signature, 'base64url')).toBe(true)
  expect((await bench.get('/webmasters/v3/sites', String(answer.body['access_token']))).status).toBe(200)
})

test('a refresh token comes only with offline access and a displayed consent', async () => {
  expect((await exchange(await code({ access_type: 'online' }))).body).not.toHaveProperty('refresh_token')
  // Consent was given above, so it isn't requested again without prompt=consent.
  expect((await exchange(await code({ prompt: '' }))).body).not.toHaveProperty('refresh_token')
  expect((await exchange(await code())).body).toHaveProperty('refresh_token')
})

test('a code works once', async () => {
  const text = await code()
  expect((await exchange(text)).status).toBe(200)
  const again = await exchange(text)
  expect(again.status).toBe(400)
  expect(again.body).toEqual({ error: 'invalid_grant', error_description: 'Bad Request' })
})

test.each([
  [{ code: 'rubbish' }, 400, { error: 'invalid_grant', error_description: 'Malformed auth code.' }],
  [{ code: '4/0Arubbish' }, 400, { error: 'invalid_grant', error_description: 'Bad Request' }],
  [{ code_verifier: 'x'.repeat(50) }, 400, { error: 'invalid_grant', error_description: 'Invalid code verifier.' }],
  [{ code_verifier: '' }, 400, { error: 'invalid_grant', error_description: 'Missing code verifier.' }],
  [{ redirect_uri: 'http://localhost:3000/other' }, 400, { error: 'redirect_uri_mismatch', error_description: 'Bad Request' }],
  [{ client_id: 'other' }, 401, { error: 'invalid_client', error_description: 'The OAuth client was not found.' }],
  [{ client_secret: 'wrong' }, 401, { error: 'invalid_client', error_description: 'The provided client secret is invalid.' }],
  [{ client_id: '' }, 400, { error: 'invalid_request', error_description: 'Could not determine client ID from request.' }],
  [{ grant_type: 'password' }, 400, { error: 'unsupported_grant_type', error_description: 'Invalid grant_type: password' }],
  [{ grant_type: '' }, 400, { error: 'invalid_request', error_description: 'Missing required parameter: grant_type' }],
])('an exchange with %j is refused', async (more, status, body) => {
  const answer = await exchange(await code(), more)
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual(body)
})

test('the client can authenticate with Basic authentication', async () => {
  const basic = Buffer.from(`${bench.google.clientId}:${bench.google.clientSecret}`).toString('base64')
  const fields = { grant_type: 'authorization_code', code: await code(), redirect_uri: BACK, code_verifier: VERIFIER }
  expect((await bench.form('/token', fields, { authorization: `Basic ${basic}` })).status).toBe(200)
  const wrong = Buffer.from(`${bench.google.clientId}:no`).toString('base64')
  expect((await bench.form('/token', fields, { authorization: `Basic ${wrong}` })).status).toBe(401)
})

test('a refresh token gives access tokens, without a new refresh token', async () => {
  const first = await exchange(await code())
  const second = await refresh(first.body['refresh_token'])
  expect(second.status).toBe(200)
  expect(second.body).toMatchObject({ expires_in: 3599, token_type: 'Bearer', scope: first.body['scope'] })
  expect(second.body).not.toHaveProperty('refresh_token')
  expect((await refresh('1//0unknown')).body).toEqual({ error: 'invalid_grant', error_description: 'Bad Request' })
})

test('expired access tokens answer 401 until refreshed; expired refresh tokens answer invalid_grant', async () => {
  const { body } = await exchange(await code())
  await bench.control('POST', 'tokens/expire-access', { account: DEMO_ACCOUNT })
  expect((await bench.get('/webmasters/v3/sites', String(body['access_token']))).status).toBe(401)
  const renewed = await refresh(body['refresh_token'])
  expect((await bench.get('/webmasters/v3/sites', String(renewed.body['access_token']))).status).toBe(200)
  await bench.control('POST', 'tokens/expire-refresh', {})
  const dead = await refresh(body['refresh_token'])
  expect(dead.status).toBe(400)
  expect(dead.body).toEqual({ error: 'invalid_grant', error_description: 'Token has been expired or revoked.' })
  expect((await bench.get('/webmasters/v3/sites', String(renewed.body['access_token']))).status).toBe(200)
})

test('revoking ends access, refresh and consent', async () => {
  const { body } = await exchange(await code())
  expect((await bench.form('/revoke', { token: String(body['refresh_token']) })).status).toBe(200)
  expect((await bench.get('/webmasters/v3/sites', String(body['access_token']))).status).toBe(401)
  expect((await refresh(body['refresh_token'])).body['error_description']).toBe('Token has been expired or revoked.')
  const again = await bench.form('/revoke', { token: String(body['refresh_token']) })
  expect([again.status, again.body]).toEqual([400, { error: 'invalid_token', error_description: 'Token expired or revoked' }])
  expect((await exchange(await code({ prompt: '' }))).body).toHaveProperty('refresh_token')
})

test('codes and access tokens expire', async () => {
  const quick = await openBench({ codeSeconds: 0.05, accessTokenSeconds: 0.05 })
  const text = await code({}, quick)
  const token = await quick.tokenOf(DEMO_ACCOUNT)
  await pause(80)
  const fields = { ...client(quick), grant_type: 'authorization_code', code: text, redirect_uri: BACK, code_verifier: VERIFIER }
  expect((await quick.form('/token', fields)).body).toEqual({ error: 'invalid_grant', error_description: 'Bad Request' })
  expect((await quick.get('/webmasters/v3/sites', token)).status).toBe(401)
  await quick.google.close()
})

test('an account keeps at most 100 refresh tokens: the oldest is revoked', { tags: ['full'] }, async () => {
  const oldest = (await exchange(await code())).body['refresh_token']
  for (let i = 0; i < 100; i++) await bench.control('POST', 'grant', { account: DEMO_ACCOUNT })
  expect((await refresh(oldest)).body['error']).toBe('invalid_grant')
})
