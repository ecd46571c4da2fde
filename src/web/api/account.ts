import {
  authEndpoints,
  type ForgotPasswordForm,
  type PasswordReset,
  twoFactorEndpoints,
  type TwoFactorSetup,
  type UndoEmailAnswer,
  userEndpoints,
} from '../../contract/account.ts'
import type { User } from '../../contract/user.ts'
import { call, callOrNull } from './client.ts'

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
