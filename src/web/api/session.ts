import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { session, userAnswer, type LoginForm, type Session, type User } from '../../contract/user.ts'
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

export async function login(form: LoginForm): Promise<User | null> {
  const answer = await ask(userAnswer, '/api/auth/login', { method: 'POST', body: form })
  return answer?.user ?? null
}

export async function logout(): Promise<void> {
  await send('/api/auth/logout', { method: 'POST' })
}

/** Every answer that carries the user replaces the one the screens show. */
export function setUser(client: QueryClient, user: User): void {
  client.setQueryData(sessionQuery.queryKey, { authenticated: true, user, demo: user.demo })
}

/** Forgets the person and everything fetched for them, but not what kind of installation this is. */
export function forgetUser(client: QueryClient): void {
  const demo = client.getQueryData(sessionQuery.queryKey)?.demo ?? false
  client.clear()
  client.setQueryData(sessionQuery.queryKey, { ...signedOut, demo })
}
