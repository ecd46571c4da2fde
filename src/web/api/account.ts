import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type AccountDeletion,
  authEndpoints,
  type ForgotPasswordForm,
  type PasswordChange,
  type PasswordReset,
  twoFactorEndpoints,
  type TwoFactorSetup,
  type UndoEmailAnswer,
  userEndpoints,
  type UserPatch,
} from '../../contract/account.ts'
import { apiKeyEndpoints, type NewApiKey } from '../../contract/api-keys.ts'
import { auditEndpoints } from '../../contract/audit.ts'
import { supportEndpoints, type SupportMessage } from '../../contract/support.ts'
import type { HeldPlan, User } from '../../contract/user.ts'
import { call, callOrNull } from './client.ts'
import { download, type Download } from './download.ts'

/** The answer is the same whether or not an account uses the address. */
export const forgotPassword = (form: ForgotPasswordForm): Promise<void> => call(authEndpoints.forgotPassword, { body: form })

export const resetPassword = (body: PasswordReset): Promise<void> => call(authEndpoints.resetPassword, { body })

/** Answers the address that was confirmed. */
export async function verifyEmail(token: string): Promise<string | null> {
  return (await callOrNull(authEndpoints.verifyEmail, { body: { token } }))?.email ?? null
}

export const sendVerification = (): Promise<void> => call(authEndpoints.sendVerification)

/** Shows that it is still the person themselves who is logged in; it counts for ten minutes. */
export const prove = (body: { password: string }): Promise<void> => call(userEndpoints.prove, { body })

/** Gives the account the address back that it had before. */
export const undoEmail = (token: string): Promise<UndoEmailAnswer> => call(authEndpoints.undoEmail, { body: { token } })

/** Nothing for an account without a password. */
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

/** Everything the server holds of the person, as a ZIP. */
export const downloadExport = (onReceived: (bytes: number) => void): Promise<Download> => download(userEndpoints.export.path, onReceived)

export const deleteAccount = (proof: AccountDeletion): Promise<void> => call(userEndpoints.remove, { body: proof })

export const updateUser = (change: UserPatch): Promise<User | null> => callOrNull(userEndpoints.change, { body: change })

/** From now on no Google account logs in to this one. */
export const removeGoogleSignIns = (): Promise<User | null> => callOrNull(userEndpoints.removeGoogleSignIns)

export const changePassword = (change: PasswordChange): Promise<void> => call(userEndpoints.changePassword, { body: change })

/** Where the person is signed in; asked again whenever somebody looks, since it changes elsewhere. */
export const sessionsQuery = queryOptions({
  queryKey: [userEndpoints.sessions.path],
  queryFn: async ({ signal }) => (await callOrNull(userEndpoints.sessions, { signal })) ?? [],
  staleTime: 0,
})

export const signOutOthers = (): Promise<void> => call(userEndpoints.endOtherSessions)

const apiKeysKey = [apiKeyEndpoints.list.path]

/** The person's keys; what of them is locked depends on the plan. */
export const apiKeysQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [...apiKeysKey, plan], queryFn: ({ signal }) => call(apiKeyEndpoints.list, { signal }) })

export const reloadApiKeys = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: apiKeysKey })

/** Answers the key itself, this once. */
export const makeApiKey = async (wanted: NewApiKey): Promise<string> => (await call(apiKeyEndpoints.make, { body: wanted })).key

export const revokeApiKey = (id: string): Promise<void> => call(apiKeyEndpoints.revoke, { params: { id } })

/** What happened to the person's account, the latest first; asked again whenever somebody looks, since it changes elsewhere. */
export const auditQuery = infiniteQueryOptions({
  queryKey: [auditEndpoints.list.path],
  queryFn: ({ pageParam, signal }) => call(auditEndpoints.list, { query: { before: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next,
  staleTime: 0,
})

/** How help is had here, and what could be told of the account with a message; of no property where none is named. */
export const supportQuery = (property: string | null) =>
  queryOptions({
    queryKey: [supportEndpoints.read.path, property],
    queryFn: ({ signal }) => call(supportEndpoints.read, { query: { property: property ?? undefined }, signal }),
  })

export const writeToSupport = (message: SupportMessage): Promise<void> => call(supportEndpoints.write, { body: message })
