import { queryOptions, type Query, type QueryClient } from '@tanstack/react-query'
import { authEndpoints, type LoginAnswer, type LoginForm, type Registration, type TwoFactorCode } from '../../contract/account/auth.ts'
import type { Session, User } from '../../contract/user.ts'
import { logFailure } from '../lib/log.ts'
import { ApiFailure, call, callOrNull } from './client.ts'

const signedOut: Session = { authenticated: false, user: null, demo: false, mail: true, billing: 'stripe' }

const resource = authEndpoints.session.path

export const sessionQuery = queryOptions({
  queryKey: [resource],
  queryFn: async ({ client, signal }): Promise<Session> => {
    try {
      const checked = await call(authEndpoints.session, { signal })
      forgetOthers(client, checked.user)
      return checked
    } catch (error) {
      if (signal.aborted) throw error
      logFailure('The session could not be checked', error)
      // A signed-in person stays so until the server says otherwise.
      if (known(client)?.authenticated && !(error instanceof ApiFailure && error.status === 401)) throw error
      return signedOut
    }
  },
})

const known = (client: QueryClient): Session | undefined => client.getQueryData<Session>([resource])

export const login = (form: LoginForm): Promise<LoginAnswer | null> => callOrNull(authEndpoints.login, { body: form })

/** The second step of a login, if the account requires one. */
export async function confirmLogin(form: TwoFactorCode): Promise<User | null> {
  return (await callOrNull(authEndpoints.twoFactor, { body: form }))?.user ?? null
}

export async function register(form: Registration): Promise<User | null> {
  return (await callOrNull(authEndpoints.register, { body: form }))?.user ?? null
}

/** Sends the confirmation email again. */
export const sendVerification = (): Promise<void> => call(authEndpoints.sendVerification)

export const logout = (): Promise<void> => call(authEndpoints.logout)

/** Every answer that includes the user replaces the one shown. */
export function setUser(client: QueryClient, user: User): void {
  forgetOthers(client, user)
  client.setQueryData(sessionQuery.queryKey, {
    authenticated: true,
    user,
    demo: user.demo,
    mail: known(client)?.mail ?? true,
    billing: user.plan === null ? 'off' : 'stripe',
  })
}

/** Same for an answer that may have been unreadable: then asks the server who is signed in. */
export async function showUser(client: QueryClient, user: User | null): Promise<void> {
  if (user !== null) setUser(client, user)
  else await client.invalidateQueries(sessionQuery)
}

/** Nothing fetched for one person is shown to the next; anything on screen is refetched for them. */
function forgetOthers(client: QueryClient, user: User | null): void {
  const before = known(client)
  if (user === null || before === undefined || before.user?.id === user.id) return
  const predicate = ({ queryKey }: Query): boolean => queryKey[0] !== resource
  void client.resetQueries({ predicate })
  client.removeQueries({ predicate, type: 'inactive' })
}

/** Forgets the person and everything fetched for them, but not the kind of installation. */
export function forgetUser(client: QueryClient): void {
  const { demo, mail, billing } = known(client) ?? signedOut
  client.clear()
  client.setQueryData(sessionQuery.queryKey, { ...signedOut, demo, mail, billing })
}
