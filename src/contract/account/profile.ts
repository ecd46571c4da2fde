import { z } from 'zod'
import { email, endAccess, mismatch, newUsername, password } from './auth.ts'
import { cleanedText, trimmed } from '../common.ts'
import { signedIn } from '../endpoint.ts'
import { notice, user, userAnswer } from '../user.ts'

// What people change about their own account. Apart from logging in, whose schemas the app needs at once.

const connectionFields = ['accessToken', 'refreshToken', 'gscProperties', 'selectedProperty'] as const

/**
 * Profile fields, or all four nulls, which disconnect Google: it isn't possible to drop the tokens and keep the properties. A new email
 * address has to be confirmed: until then a confirmed one stays in force.
 */
export const userPatch = z
  .object({
    username: newUsername,
    email,
    selectedProperty: z.string().min(1).max(2048).nullable(),
    accessToken: z.null(),
    refreshToken: z.null(),
    gscProperties: z.null(),
  })
  .partial()
  .refine((patch) => [0, 4].includes(connectionFields.filter((field) => patch[field] === null).length), {
    error: 'To disconnect Google, send null for accessToken, refreshToken, gscProperties and selectedProperty together',
  })
export type UserPatch = z.infer<typeof userPatch>

export const profileForm = z.object({ username: newUsername, email, selectedProperty: z.string().optional() })
export type ProfileForm = z.infer<typeof profileForm>

export const passwordChange = z.object({
  currentPassword: z.string().min(1, 'Enter your current password').max(256),
  newPassword: password,
  endAccess,
})
export type PasswordChange = z.infer<typeof passwordChange>
export const passwordChangeForm = passwordChange
  .extend({ confirmPassword: z.string(), endAccess: z.boolean() })
  .refine(({ newPassword, confirmPassword }) => newPassword === confirmPassword, mismatch)
export type PasswordChangeForm = z.infer<typeof passwordChangeForm>

/** Where somebody is signed in; without the session's token. */
export const signedInAt = z.object({
  current: z.boolean(),
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
  signedInAt: z.iso.datetime(),
})
export type SignedInAt = z.infer<typeof signedInAt>
export const sessionList = z.array(signedInAt)

/** Proof that the session's holder is still its owner. Valid for ten minutes. */
export const proof = z.object({ password: z.string().min(1, 'Enter your password').max(256, 'Incorrect password.') })

/** Left empty for an account without a password. */
export const passwordProof = z.object({ password: z.string().max(256).optional() })
/** Data for the authenticator app; active once a code was confirmed. */
export const twoFactorSetup = z.object({ uri: z.string(), secret: z.string(), recoveryCodes: z.array(z.string()) })
export type TwoFactorSetup = z.infer<typeof twoFactorSetup>
const wrongCode = 'Enter the 6-digit code your app shows'
export const twoFactorConfirm = z.object({
  code: cleanedText(6, trimmed, wrongCode).regex(/^\d{6}$/, wrongCode),
})
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/** The typed username, and the password if there is one. */
export const accountDeletion = z.object({ username: z.string().max(64), password: z.string().max(256).optional() })
export type AccountDeletion = z.infer<typeof accountDeletion>

/** The signed-in person: profile, password, sessions, second factor, and data export. */
export const userEndpoints = {
  read: signedIn.get('/api/user', { answer: user }),
  /** A new address, or disconnecting Google, requires proof; a username, or undoing a change of address, doesn't. */
  change: signedIn.patch('/api/user', { proof: 'by-content', body: userPatch, answer: user }),
  /** Permanently deletes the account and everything that belongs to it. */
  remove: signedIn.remove('/api/user', { proof: 'without-password', body: accountDeletion }),
  /** All of the person's stored data: a ZIP sent while it is created. */
  export: signedIn.get('/api/user/export', { proof: 'always', answer: 'file' }),
  prove: signedIn.post('/api/user/proof', { body: proof }),
  changePassword: signedIn.post('/api/user/password', { body: passwordChange }),
  removeGoogleSignIns: signedIn.remove('/api/user/google-sign-ins', { proof: 'always', answer: user }),
  /** It isn't shown again. */
  dismissNotice: signedIn.remove('/api/user/notices/:notice', { params: z.object({ notice }) }),
  sessions: signedIn.get('/api/user/sessions', { answer: sessionList }),
  /** Ending other sessions requires proof: otherwise a thief could keep the owner out. */
  endOtherSessions: signedIn.remove('/api/user/sessions', { proof: 'always' }),
}

const twoFactor = '/api/user/two-factor'
/** The signed-in person's second factor. Each operation takes the password or a recent proof. */
export const twoFactorEndpoints = {
  begin: signedIn.post(twoFactor, { proof: 'without-password', body: passwordProof, answer: twoFactorSetup }),
  // The setup may have been started by somebody else, long ago.
  confirm: signedIn.post(`${twoFactor}/confirm`, { proof: 'always', body: twoFactorConfirm, answer: userAnswer }),
  renewRecoveryCodes: signedIn.post(`${twoFactor}/recovery-codes`, {
    proof: 'without-password',
    body: passwordProof,
    answer: recoveryCodes,
  }),
  end: signedIn.remove(twoFactor, { proof: 'without-password', body: passwordProof, answer: userAnswer }),
}
