import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { loginAnswer, type LoginAnswer, type LoginForm, type Registration, type TwoFactorCode } from '../../contract/account.ts'
import { session, userAnswer, type Session, type User } from '../../contract/user.ts'
import { logFailure } from '../lib/log.ts'
import { ask, send } from './client.ts'

const signedOut: Session = { authenticated: false, user: null, demo: false }

export const sessionQuery = queryOptions({
  queryKey: ['/api/auth/session'],
  queryFn: async ({ signal }): Promise<Session> => {
    try {
      return (await ask(session, '/api/auth/session', { signal })) ?? signedOut
    } catch (error) {
      if (signal.aborted) throw error
      logFailure('The session could not be checked', error)
      return signedOut
    }
  },
})

export async function login(form: LoginForm): Promise<LoginAnswer | null> {
  return await ask(loginAnswer, '/api/auth/login', { method: 'POST', body: form })
}

/** The second step of a login, where the account asks for one. */
export async function confirmLogin(form: TwoFactorCode): Promise<User | null> {
  const answer = await ask(userAnswer, '/api/auth/two-factor', { method: 'POST', body: form })
  return answer?.user ?? null
}

export async function register(form: Registration): Promise<User | null> {
  const answer = await ask(userAnswer, '/api/auth/register', { method: 'POST', body: form })
  return answer?.user ?? null
}

export async function logout(): Promise<void> {
  await send('/api/auth/logout', { method: 'POST' })
}

/** Every answer that carries the user replaces the one the screens show. */
export function setUser(client: QueryClient, user: User): void {
  client.setQueryData(sessionQuery.queryKey, { authenticated: true, user, demo: user.demo })
}

/** The same for an answer that may have been unreadable: then the server is asked who is signed in. */
export async function showUser(client: QueryClient, user: User | null): Promise<void> {
  if (user !== null) setUser(client, user)
  else await client.invalidateQueries(sessionQuery)
}

/** Forgets the person and everything fetched for them, but not what kind of installation this is. */
export function forgetUser(client: QueryClient): void {
  const demo = client.getQueryData(sessionQuery.queryKey)?.demo ?? false
  client.clear()
  client.setQueryData(sessionQuery.queryKey, { ...signedOut, demo })
}
