import {
  recoveryCodes,
  twoFactorSetup,
  undoEmailAnswer,
  verifyEmailAnswer,
  type ForgotPasswordForm,
  type PasswordReset,
  type TwoFactorSetup,
  type UndoEmailAnswer,
} from '../../contract/account.ts'
import { userAnswer, type User } from '../../contract/user.ts'
import { ask, askFor, send } from './client.ts'

/** The answer is the same whether or not an account uses the address. */
export async function forgotPassword(form: ForgotPasswordForm): Promise<void> {
  await send('/api/auth/forgot-password', { method: 'POST', body: form })
}

export async function resetPassword(body: PasswordReset): Promise<void> {
  await send('/api/auth/reset-password', { method: 'POST', body })
}

/** Answers the address that was confirmed. */
export async function verifyEmail(token: string): Promise<string | null> {
  const answer = await ask(verifyEmailAnswer, '/api/auth/verify-email', { method: 'POST', body: { token } })
  return answer?.email ?? null
}

export async function sendVerification(): Promise<void> {
  await send('/api/auth/verify-email/send', { method: 'POST' })
}

/** Shows that it is still the person themselves who is logged in; it counts for ten minutes. */
export async function prove(body: { password: string }): Promise<void> {
  await send('/api/user/proof', { method: 'POST', body })
}

/** Gives the account the address back that it had before. */
export async function undoEmail(token: string): Promise<UndoEmailAnswer> {
  return await askFor(undoEmailAnswer, '/api/auth/undo-email', { method: 'POST', body: { token } })
}

/** Nothing for an account without a password. */
export type Proof = { password?: string }

export async function startTwoFactor(proof: Proof): Promise<TwoFactorSetup | null> {
  return await ask(twoFactorSetup, '/api/user/two-factor', { method: 'POST', body: proof })
}

export async function confirmTwoFactor(code: string): Promise<User | null> {
  const answer = await ask(userAnswer, '/api/user/two-factor/confirm', { method: 'POST', body: { code } })
  return answer?.user ?? null
}

export async function newRecoveryCodes(proof: Proof): Promise<string[] | null> {
  const answer = await ask(recoveryCodes, '/api/user/two-factor/recovery-codes', { method: 'POST', body: proof })
  return answer?.recoveryCodes ?? null
}

export async function endTwoFactor(proof: Proof): Promise<User | null> {
  const answer = await ask(userAnswer, '/api/user/two-factor', { method: 'DELETE', body: proof })
  return answer?.user ?? null
}
