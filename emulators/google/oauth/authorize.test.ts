import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CHALLENGE, DEMO_ACCOUNT, openBench } from '../testing.ts'
import type { Bench } from '../testing.ts'

const SCOPES = 'openid email https://www.googleapis.com/auth/webmasters.readonly'
const READONLY = 'https://www.googleapis.com/auth/webmasters.readonly'
const BACK = 'http://localhost:3000/api/auth/google/callback?from=here'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.control('POST', 'reset', {}))
afterAll(() => bench.google.close())

function address(params: Record<string, string> = {}): string {
  const all = {
    client_id: bench.google.clientId,
    redirect_uri: BACK,
    response_type: 'code',
    scope: SCOPES,
    state: 'a b&c',
    access_type: 'offline',
    prompt: 'consent',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...params,
  }
  return `/o/oauth2/v2/auth?${new URLSearchParams(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')))}`
}

const open = (params?: Record<string, string>, cookie = ''): Promise<Response> =>
  fetch(bench.google.url + address(params), { redirect: 'manual', headers: { cookie } })

async function post(fields: [string, string][], params?: Record<string, string>): Promise<Response> {
  return fetch(bench.google.url + address(params), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
}

const agree = (params?: Record<string, string>): Promise<Response> =>
  post(
    [
      ['account', DEMO_ACCOUNT],
      ['scope', READONLY],
      ['action', 'continue'],
    ],
    params,
  )

function target(response: Response): URL {
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '')
}

test('the page shows the accounts, a ticked box per permission, Continue and Cancel', async () => {
  const response = await open()
  const page = await response.text()
  expect(response.headers.get('content-type')).toMatch('text/html')
  expect(page).toContain('localhost:3000 wants access')
  expect(page).toContain(`type="radio" name="account" value="${DEMO_ACCOUNT}" checked`)
  expect(page).toContain(`type="checkbox" name="scope" value="${READONLY}" checked`)
  expect(page.match(/type="checkbox"/g)).toHaveLength(1)
  expect(page).toContain('>Continue</button>')
  expect(page).toContain('>Cancel</button>')
  expect(page).not.toContain('<script')
})

test('login_hint selects the account, and is the only way to the one for benchmarks', async () => {
  expect(await (await open()).text()).not.toContain('bench@ranklark.example')
  expect(await (await open({ login_hint: 'bench@ranklark.example' })).text()).toContain('value="bench@ranklark.example" checked')
})

test('Continue returns with code, state and the granted scopes', async () => {
  const url = target(await agree())
  expect(url.origin + url.pathname).toBe('http://localhost:3000/api/auth/google/callback')
  expect(url.searchParams.get('from')).toBe('here')
  expect(url.searchParams.get('state')).toBe('a b&c')
  expect(url.searchParams.get('code')).toMatch(/^4\//)
  expect(url.searchParams.get('scope')?.split(' ')).toEqual(['openid', 'https://www.googleapis.com/auth/userinfo.email', READONLY])
})

test('an unticked permission is missing from the returned scope', async () => {
  const url = target(
    await post([
      ['account', DEMO_ACCOUNT],
      ['action', 'continue'],
    ]),
  )
  expect(url.searchParams.get('scope')).toBe('openid https://www.googleapis.com/auth/userinfo.email')
})

test('Cancel returns with access_denied and the state', async () => {
  const url = target(await post([['action', 'cancel']]))
  expect(Object.fromEntries(url.searchParams)).toEqual({ from: 'here', state: 'a b&c', error: 'access_denied' })
})

test("after consent the page isn't shown again, unless prompt=consent requests it", async () => {
  const hint = { login_hint: DEMO_ACCOUNT }
  expect((await open({ ...hint, prompt: '' })).status).toBe(200)
  expect(target(await open({ ...hint, prompt: 'none' })).searchParams.get('error')).toBe('interaction_required')
  const cookie = (await agree()).headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(target(await open({ ...hint, prompt: '' })).searchParams.get('code')).toBeTruthy()
  expect(target(await open({ prompt: '' }, cookie)).searchParams.get('code')).toBeTruthy()
  expect((await open({ prompt: '' })).status).toBe(200)
  expect((await open({ ...hint, prompt: 'consent' })).status).toBe(200)
  expect((await open({ ...hint, prompt: 'select_account' })).status).toBe(200)
})

test('include_granted_scopes adds what was granted earlier', async () => {
  await agree()
  const url = target(await open({ scope: 'openid', prompt: '', login_hint: DEMO_ACCOUNT, include_granted_scopes: 'true' }))
  expect(url.searchParams.get('scope')?.split(' ')).toContain(READONLY)
})

test.each([
  [{ client_id: 'someone-else' }, 401, 'invalid_client'],
  [{ client_id: '' }, 400, 'invalid_request'],
  [{ redirect_uri: 'javascript:alert(1)' }, 400, 'redirect_uri_mismatch'],
  [{ response_type: 'token' }, 400, 'unsupported_response_type'],
  [{ scope: '' }, 400, 'invalid_request'],
  [{ access_type: 'sometimes' }, 400, 'invalid_request'],
  [{ code_challenge_method: 'S512' }, 400, 'invalid_request'],
])('%j is shown as an error and never redirected', async (params, status, code) => {
  const response = await open(params)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(`Error ${status}: ${code}`)
})

test("a request's content is shown as text, never as markup", async () => {
  const page = await (await open({ state: '"><script>alert(1)</script>', scope: '<b>x</b>' })).text()
  expect(page).not.toContain('<script>')
  expect(page).toContain('&lt;b&gt;x&lt;/b&gt;')
})
