import { recoveryCodes, twoFactorSetup, verifyEmailAnswer, type ForgotPasswordForm, type TwoFactorSetup } from '../../contract/account.ts'
import { userAnswer, type User } from '../../contract/user.ts'
import { ask, send } from './client.ts'

/** The answer is the same whether or not an account uses the address. */
export async function forgotPassword(form: ForgotPasswordForm): Promise<void> {
  await send('/api/auth/forgot-password', { method: 'POST', body: form })
}

export async function resetPassword(body: { token: string; password: string }): Promise<void> {
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
