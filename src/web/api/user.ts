import { queryOptions } from '@tanstack/react-query'
import { sessionList, type PasswordChange, type UserPatch } from '../../contract/account.ts'
import { user, type User } from '../../contract/user.ts'
import { ask, send } from './client.ts'

export async function updateUser(change: UserPatch): Promise<User | null> {
  return await ask(user, '/api/user', { method: 'PATCH', body: change })
}

/** From now on no Google account logs in to this one. */
export async function removeGoogleSignIns(): Promise<User | null> {
  return await ask(user, '/api/user/google-sign-ins', { method: 'DELETE' })
}

export async function changePassword(change: PasswordChange): Promise<void> {
  await send('/api/user/password', { method: 'POST', body: change })
}

/** Where the person is signed in; asked again whenever somebody looks, since it changes elsewhere. */
export const sessionsQuery = queryOptions({
  queryKey: ['/api/user/sessions'],
  queryFn: async ({ signal }) => (await ask(sessionList, '/api/user/sessions', { signal })) ?? [],
  staleTime: 0,
})

export async function signOutOthers(): Promise<void> {
  await send('/api/user/sessions', { method: 'DELETE' })
}
