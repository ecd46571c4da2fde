import { QueryObserver, type QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Session, User } from '../../contract/user.ts'
import { createQueryClient } from './query-client.ts'
import { sessionQuery, setUser } from './session.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const signedOut = { authenticated: false, user: null, demo: false, mail: true, billing: 'stripe' }

const answering = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', vi.fn<() => Promise<Response>>(answer))

const failures: [string, () => Promise<Response>][] = [
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a failure', () => Promise.resolve(new Response('', { status: 500 }))],
  ['an answer of another shape', () => Promise.resolve(new Response('{"authenticated":"perhaps"}'))],
]

test.each(failures)("a session that can't be checked is logged, and nobody is signed in: %s", async (_why, answer) => {
  answering(answer)
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await createQueryClient().fetchQuery(sessionQuery)).toEqual(signedOut)
  expect(log).toHaveBeenCalledOnce()
})

const person = (id: string): User => ({
  id,
  username: id,
  email: `${id}@example.test`,
  emailVerified: true,
  pendingEmail: null,
  hasPassword: true,
  twoFactorEnabled: false,
  googleSignIns: [],
  plan: 'free',
  planChosen: true,
  siteLimit: 1,
  sitesMonitored: 0,
  sitesPaused: 0,
  selectedProperty: null,
  accessToken: null,
  refreshToken: null,
  gscProperties: null,
  demo: false,
})
const ann = person('ann')
const ben = person('ben')
const sessionOf = (user: User): Session => ({ authenticated: true, user, demo: false, mail: true, billing: 'stripe' })
const card = ['/api/subscription']

/** Ann is signed in here, and her card was viewed. */
function annsTab(): QueryClient {
  const client = createQueryClient()
  setUser(client, ann)
  client.setQueryData(card, '4242')
  return client
}

describe('a signed-in user', () => {
  const noJson: (typeof failures)[number] = ['no JSON', () => Promise.resolve(new Response('<p>Back soon</p>'))]
  test.each([...failures, noJson])("stays so while the session can't be checked: %s", async (_why, answer) => {
    const client = annsTab()
    answering(answer)
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await expect(client.fetchQuery({ ...sessionQuery, staleTime: 0 })).rejects.toBeInstanceOf(Error)
    expect(client.getQueryData(sessionQuery.queryKey)).toEqual(sessionOf(ann))
    expect(log).toHaveBeenCalled()
  })

  test.each([
    ['by its answer', () => Promise.resolve(Response.json(signedOut))],
    ['by refusing', () => Promise.resolve(new Response('', { status: 401 }))],
  ])('is signed out if the server says so: %s', async (_how, answer) => {
    const client = annsTab()
    answering(answer)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await client.fetchQuery({ ...sessionQuery, staleTime: 0 })).toEqual(signedOut)
  })
})

describe('data fetched for one user', () => {
  test("isn't there for the next one who logs in, however the previous session ended", async () => {
    const client = annsTab()
    answering(() => Promise.resolve(Response.json(signedOut)))
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    setUser(client, ben)
    expect(client.getQueryData(card)).toBeUndefined()
    expect(client.getQueryData(sessionQuery.queryKey)).toEqual(sessionOf(ben))
  })

  test("isn't there if somebody else turns out to be signed in; what is on screen is fetched for them", async () => {
    const client = annsTab()
    const shown = new QueryObserver(client, {
      queryKey: ['/api/keys'],
      queryFn: vi.fn<() => string>().mockReturnValueOnce('Ann’s').mockReturnValue('Ben’s'),
    })
    const stop = shown.subscribe(() => {})
    await vi.waitFor(() => expect(shown.getCurrentResult().data).toBe('Ann’s'))
    answering(() => Promise.resolve(Response.json(sessionOf(ben))))
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    expect(client.getQueryData(card)).toBeUndefined()
    await vi.waitFor(() => expect(shown.getCurrentResult().data).toBe('Ben’s'))
    stop()
  })

  test('stays with them when their profile changes', () => {
    const client = annsTab()
    setUser(client, { ...ann, username: 'anna' })
    expect(client.getQueryData(card)).toBe('4242')
  })

  test('and data fetched for everybody stays when the first session begins', async () => {
    const client = createQueryClient()
    client.setQueryData(['/api/plans'], 'plans')
    answering(() => Promise.resolve(Response.json(sessionOf(ann))))
    await client.fetchQuery(sessionQuery)
    expect(client.getQueryData(['/api/plans'])).toBe('plans')
  })
})
