import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { authEndpoints, type ForgotPasswordForm, type PasswordReset, type UndoEmailAnswer } from '../../contract/account/auth.ts'
import {
  type AccountDeletion,
  type PasswordChange,
  twoFactorEndpoints,
  type TwoFactorSetup,
  userEndpoints,
  type UserPatch,
} from '../../contract/account/profile.ts'
import { apiKeyEndpoints, type NewApiKey } from '../../contract/api-keys.ts'
import { auditEndpoints } from '../../contract/audit.ts'
import { supportEndpoints, type SupportMessage } from '../../contract/support.ts'
import type { HeldPlan, Notice, User } from '../../contract/user.ts'
import { call, callOrNull } from './client.ts'
import { download, type Download } from './download.ts'

/** Gives the same answer whether or not an account uses the address. */
export const forgotPassword = (form: ForgotPasswordForm): Promise<void> => call(authEndpoints.forgotPassword, { body: form })

export const resetPassword = (body: PasswordReset): Promise<void> => call(authEndpoints.resetPassword, { body })

/** Returns the confirmed address. */
export async function verifyEmail(token: string): Promise<string | null> {
  return (await callOrNull(authEndpoints.verifyEmail, { body: { token } }))?.email ?? null
}

/** Proves the logged-in person's identity; valid for ten minutes. */
export const prove = (body: { password: string }): Promise<void> => call(userEndpoints.prove, { body })

/** Restores the account's previous address. */
export const undoEmail = (token: string): Promise<UndoEmailAnswer> => call(authEndpoints.undoEmail, { body: { token } })

/** Empty for an account without a password. */
export type Proof = { password?: string }

export const startTwoFactor = (proof: Proof): Promise<TwoFactorSetup | null> => callOrNull(twoFactorEndpoints.begin, { body: proof })

export async function confirmTwoFactor(code: string): Promise<User | null> {
  return (await callOrNull(twoFactorEndpoints.confirm, { body: { code } }))?.user ?? null
}

export async function newRecoveryCodes(proof: Proof): Promise<string[] | null> {
  return (await callOrNull(twoFactorEndpoints.renewRecoveryCodes, { body: proof }))?.recoveryCodes ?? null
}

export async function endTwoFactor(proof: Proof): Promise<User | null> {
  return (await callOrNull(twoFactorEndpoints.end, { body: proof }))?.user ?? null
}

/** All data the server holds about the person, as a ZIP. */
export const downloadExport = (onReceived: (bytes: number) => void): Promise<Download> => download(userEndpoints.export.path, onReceived)

export const deleteAccount = (proof: AccountDeletion): Promise<void> => call(userEndpoints.remove, { body: proof })

export const updateUser = (change: UserPatch): Promise<User | null> => callOrNull(userEndpoints.change, { body: change })

/** It isn't shown again. */
export const dismissNotice = (notice: Notice): Promise<void> => call(userEndpoints.dismissNotice, { params: { notice } })

/** Removes all Google logins of this account. */
export const removeGoogleSignIns = (): Promise<User | null> => callOrNull(userEndpoints.removeGoogleSignIns)

export const changePassword = (change: PasswordChange): Promise<void> => call(userEndpoints.changePassword, { body: change })

/** Where the person is signed in; refetched on every view, since it changes elsewhere. */
export const sessionsQuery = queryOptions({
  queryKey: [userEndpoints.sessions.path],
  queryFn: async ({ signal }) => (await callOrNull(userEndpoints.sessions, { signal })) ?? [],
  staleTime: 0,
})

export const signOutOthers = (): Promise<void> => call(userEndpoints.endOtherSessions)

const apiKeysKey = [apiKeyEndpoints.list.path]

/** The person's keys; the plan determines which of them are locked. */
export const apiKeysQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [...apiKeysKey, plan], queryFn: ({ signal }) => call(apiKeyEndpoints.list, { signal }) })

export const reloadApiKeys = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: apiKeysKey })

/** Returns the key itself, only this once. */
export const makeApiKey = async (wanted: NewApiKey): Promise<string> => (await call(apiKeyEndpoints.make, { body: wanted })).key

export const revokeApiKey = (id: string): Promise<void> => call(apiKeyEndpoints.revoke, { params: { id } })

/** The person's account activity, latest first; refetched on every view, since it changes elsewhere. */
export const auditQuery = infiniteQueryOptions({
  queryKey: [auditEndpoints.list.path],
  queryFn: ({ pageParam, signal }) => call(auditEndpoints.list, { query: { before: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next,
  staleTime: 0,
})

/** How to get help, and what account details a message could include; without a property if none is named. */
export const supportQuery = (property: string | null) =>
  queryOptions({
    queryKey: [supportEndpoints.read.path, property],
    queryFn: ({ signal }) => call(supportEndpoints.read, { query: { property: property ?? undefined }, signal }),
  })

export const writeToSupport = (message: SupportMessage): Promise<void> => call(supportEndpoints.write, { body: message })
