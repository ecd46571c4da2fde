import { queryOptions } from '@tanstack/react-query'
import { type PasswordChange, userEndpoints as endpoints, type UserPatch } from '../../contract/account.ts'
import type { User } from '../../contract/user.ts'
import { call, callOrNull } from './client.ts'

export const updateUser = (change: UserPatch): Promise<User | null> => callOrNull(endpoints.change, { body: change })

/** From now on no Google account logs in to this one. */
export const removeGoogleSignIns = (): Promise<User | null> => callOrNull(endpoints.removeGoogleSignIns)

export const changePassword = (change: PasswordChange): Promise<void> => call(endpoints.changePassword, { body: change })

/** Where the person is signed in; asked again whenever somebody looks, since it changes elsewhere. */
export const sessionsQuery = queryOptions({
  queryKey: [endpoints.sessions.path],
  queryFn: async ({ signal }) => (await callOrNull(endpoints.sessions, { signal })) ?? [],
  staleTime: 0,
})

export const signOutOthers = (): Promise<void> => call(endpoints.endOtherSessions)
