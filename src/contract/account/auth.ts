import { z } from 'zod'
import { cleanedText, trimmed } from '../common.ts'
import { session, user, userAnswer } from '../user.ts'
import { endpoint, signedIn } from '../endpoint.ts'

export const username = cleanedText(64, trimmed, 'Username must be at most 64 characters').min(3, 'Username must be at least 3 characters')

/** Without letters that aren't shown, such as Hangul fillers. */
const usernamePattern = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}._-])+$/u
/** The lower-case form must match too, since names are stored and looked up in it: İ in lower case ends with a combining dot. */
const isUsername = (name: string): boolean => usernamePattern.test(name) && usernamePattern.test(name.toLowerCase())

export const newUsername = username.refine(isUsername, 'Username can contain only letters, digits, dots, hyphens and underscores')

export const password = z.string().min(6, 'Password must be at least 6 characters').max(256, 'Password must be at most 256 characters')

const wrongEmail = 'Please enter a valid email address'
export const email = cleanedText(254, trimmed, wrongEmail).check(z.email(wrongEmail))

/** `username` also accepts a confirmed email address. */
export const loginForm = z.object({ username: username.max(254), password })
export type LoginForm = z.infer<typeof loginForm>

/** Signed in, or the second factor is required. */
export const loginAnswer = z.union([z.object({ user }), z.object({ twoFactor: z.literal(true) })])
export type LoginAnswer = z.infer<typeof loginAnswer>

export const registration = z.object({ username: newUsername, email, password })
export type Registration = z.infer<typeof registration>

const matches = ({ password: given, confirmPassword }: { password: string; confirmPassword: string }) => given === confirmPassword
/** Reported together with other problems, not only once those are fixed. */
export const mismatch = {
  path: ['confirmPassword'],
  error: 'Passwords do not match',
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/** The form; only the `registration` fields are sent to the server. */
export const registrationForm = registration.extend({ confirmPassword: z.string() }).refine(matches, mismatch)
export type RegistrationForm = z.infer<typeof registrationForm>

/** Six digits from the authenticator app, or a recovery code. */
export const twoFactorCode = z.object({
  code: cleanedText(32, trimmed).min(6, 'Enter the 6-digit code or a recovery code'),
  /** Skips the question in this browser for 30 days. */
  trustDevice: z.boolean().default(false),
})
export type TwoFactorCode = z.infer<typeof twoFactorCode>

export const forgotPasswordForm = z.object({ email })
export type ForgotPasswordForm = z.infer<typeof forgotPasswordForm>

/** Whether to revoke API keys and Google logins as well, since they may be somebody else's. */
export const endAccess = z.boolean().default(false)

export const resetPassword = z.object({ token: z.string().min(1).max(256), password, endAccess })
export type PasswordReset = z.infer<typeof resetPassword>
export const resetPasswordForm = z.object({ password, confirmPassword: z.string(), endAccess: z.boolean() }).refine(matches, mismatch)
export type ResetPasswordForm = z.infer<typeof resetPasswordForm>

export const verifyEmail = z.object({ token: z.string().min(1).max(256) })
export const verifyEmailAnswer = z.object({ email: z.string() })

/** The link from the email to the previous address. All sessions end; `token` sets a new password. */
export const undoEmail = z.object({ token: z.string().min(1).max(256) })
export const undoEmailAnswer = z.object({ email: z.string(), token: z.string() })
export type UndoEmailAnswer = z.infer<typeof undoEmailAnswer>

const wayIn = { anybody: 'this is how people log in' }
const linkInMail = { anybody: 'the link in the email identifies the account' }
/** Logging in and out, and actions proven by an emailed link. */
export const authEndpoints = {
  session: endpoint({
    method: 'GET',
    path: '/api/auth/session',
    access: { anybody: 'tells whether someone is logged in' },
    answer: session,
  }),
  register: endpoint({ method: 'POST', path: '/api/auth/register', access: wayIn, body: registration, answer: userAnswer }),
  login: endpoint({ method: 'POST', path: '/api/auth/login', access: wayIn, body: loginForm, answer: loginAnswer }),
  /** The second step of a login, if the account requires one. */
  twoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/two-factor',
    access: { anybody: 'second login step, identified by the cookie from the first' },
    body: twoFactorCode,
    answer: userAnswer,
  }),
  logout: endpoint({ method: 'POST', path: '/api/auth/logout', access: { anybody: 'this is how people log out' } }),
  /** Gives the same answer whether or not an account uses the address. */
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: { anybody: 'gives the same answer for known and unknown accounts' },
    body: forgotPasswordForm,
    status: 202,
  }),
  resetPassword: endpoint({ method: 'POST', path: '/api/auth/reset-password', access: linkInMail, body: resetPassword }),
  verifyEmail: signedIn.post('/api/auth/verify-email', { body: verifyEmail, answer: verifyEmailAnswer }),
  sendVerification: signedIn.post('/api/auth/verify-email/send', { status: 202 }),
  /** Restores the account's previous address. */
  undoEmail: endpoint({ method: 'POST', path: '/api/auth/undo-email', access: linkInMail, body: undoEmail, answer: undoEmailAnswer }),
}
