import { z } from 'zod'
import { session, user, userAnswer } from './user.ts'
import { endpoint } from './endpoint.ts'

export const username = z.string().trim().min(3, 'Username must be at least 3 characters').max(64, 'Username must be at most 64 characters')

export const newUsername = username.regex(/^[\p{L}\p{N}._-]+$/u, 'Username can contain only letters, digits, dots, hyphens and underscores')

export const password = z.string().min(6, 'Password must be at least 6 characters').max(256, 'Password must be at most 256 characters')

export const email = z.string().trim().max(254, 'Please enter a valid email address').pipe(z.email('Please enter a valid email address'))

/** `username` takes a confirmed e-mail address as well. */
export const loginForm = z.object({ username: username.max(254), password })
export type LoginForm = z.infer<typeof loginForm>

/** Signed in, or asked for the second factor. */
export const loginAnswer = z.union([z.object({ user }), z.object({ twoFactor: z.literal(true) })])
export type LoginAnswer = z.infer<typeof loginAnswer>

export const registration = z.object({ username: newUsername, email, password })
export type Registration = z.infer<typeof registration>

const matches = ({ password: given, confirmPassword }: { password: string; confirmPassword: string }) => given === confirmPassword
/** Said along with what else is wrong, rather than once all of that is mended. */
const mismatch = {
  path: ['confirmPassword'],
  error: 'Passwords do not match',
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/** The form; the server is sent what `registration` holds. */
export const registrationForm = registration.extend({ confirmPassword: z.string() }).refine(matches, mismatch)
export type RegistrationForm = z.infer<typeof registrationForm>

/** Six digits of the authenticator app, or one of the recovery codes. */
export const twoFactorCode = z.object({
  code: z.string().trim().min(6, 'Enter the 6-digit code or a recovery code').max(32),
  /** Does not ask again in this browser for 30 days. */
  trustDevice: z.boolean().default(false),
})
export type TwoFactorCode = z.infer<typeof twoFactorCode>

export const forgotPasswordForm = z.object({ email })
export type ForgotPasswordForm = z.infer<typeof forgotPasswordForm>

/** Whether API keys and the Google accounts that log in end with the old password, as they may be somebody else's. */
const endAccess = z.boolean().default(false)

export const resetPassword = z.object({ token: z.string().min(1).max(256), password, endAccess })
export type PasswordReset = z.infer<typeof resetPassword>
export const resetPasswordForm = z.object({ password, confirmPassword: z.string(), endAccess: z.boolean() }).refine(matches, mismatch)
export type ResetPasswordForm = z.infer<typeof resetPasswordForm>

export const verifyEmail = z.object({ token: z.string().min(1).max(256) })
export const verifyEmailAnswer = z.object({ email: z.string() })

/** The link of the letter to the address before. All sessions end; `token` sets a new password. */
export const undoEmail = z.object({ token: z.string().min(1).max(256) })
export const undoEmailAnswer = z.object({ email: z.string(), token: z.string() })
export type UndoEmailAnswer = z.infer<typeof undoEmailAnswer>

const connectionFields = ['accessToken', 'refreshToken', 'gscProperties', 'selectedProperty'] as const

/**
 * Profile fields, or the four nulls together, which disconnect Google: tokens cannot be
 * given back and the properties kept. A new e-mail address has to be confirmed: until then a confirmed one stays in force.
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

/** Where somebody is signed in; never the session's token. */
export const signedInAt = z.object({
  current: z.boolean(),
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
  signedInAt: z.iso.datetime(),
})
export type SignedInAt = z.infer<typeof signedInAt>
export const sessionList = z.array(signedInAt)

/** That it is still its owner who holds the session. It counts for ten minutes. */
export const proof = z.object({ password: z.string().min(1, 'Enter your password').max(256, 'Incorrect password.') })

/** What an account without a password leaves empty. */
export const passwordProof = z.object({ password: z.string().max(256).optional() })
/** What the authenticator app needs; in force once a code was confirmed. */
export const twoFactorSetup = z.object({ uri: z.string(), secret: z.string(), recoveryCodes: z.array(z.string()) })
export type TwoFactorSetup = z.infer<typeof twoFactorSetup>
export const twoFactorConfirm = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'Enter the 6-digit code your app shows'),
})
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/** The username, typed, and the password where there is one. */
export const accountDeletion = z.object({ username: z.string().max(64), password: z.string().max(256).optional() })
export type AccountDeletion = z.infer<typeof accountDeletion>

const wayIn = { anybody: 'the way in' }
const linkInMail = { anybody: 'the link from the email says who it is' }
/** Coming in and going out, and what is proven by a link in an email. */
export const authEndpoints = {
  session: endpoint({
    method: 'GET',
    path: '/api/auth/session',
    access: { anybody: 'says whether somebody is signed in' },
    answer: session,
  }),
  register: endpoint({ method: 'POST', path: '/api/auth/register', access: wayIn, body: registration, answer: userAnswer }),
  login: endpoint({ method: 'POST', path: '/api/auth/login', access: wayIn, body: loginForm, answer: loginAnswer }),
  /** The second step of a login, where the account asks for one. */
  twoFactor: endpoint({
    method: 'POST',
    path: '/api/auth/two-factor',
    access: { anybody: 'the way in, with the cookie of its first step' },
    body: twoFactorCode,
    answer: userAnswer,
  }),
  logout: endpoint({ method: 'POST', path: '/api/auth/logout', access: { anybody: 'the way out' } }),
  /** The answer is the same whether or not an account uses the address. */
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: { anybody: 'the same answer whoever is asked about' },
    body: forgotPasswordForm,
    status: 202,
  }),
  resetPassword: endpoint({ method: 'POST', path: '/api/auth/reset-password', access: linkInMail, body: resetPassword }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/auth/verify-email',
    access: 'session',
    body: verifyEmail,
    answer: verifyEmailAnswer,
  }),
  sendVerification: endpoint({ method: 'POST', path: '/api/auth/verify-email/send', access: 'session', status: 202 }),
  /** Gives the account the address back that it had before. */
  undoEmail: endpoint({ method: 'POST', path: '/api/auth/undo-email', access: linkInMail, body: undoEmail, answer: undoEmailAnswer }),
}

/** The signed-in person: profile, password, sessions, second factor, and all of their data. */
export const userEndpoints = {
  read: endpoint({ method: 'GET', path: '/api/user', access: 'session', answer: user }),
  /** Another address, or the end of the connection to Google, asks for a proof; not a username, nor taking back a change of address. */
  change: endpoint({ method: 'PATCH', path: '/api/user', access: 'session', proof: 'by-content', body: userPatch, answer: user }),
  /** The account and all that belongs to it, for good. */
  remove: endpoint({ method: 'DELETE', path: '/api/user', access: 'session', proof: 'without-password', body: accountDeletion }),
  /** Everything that is stored of the person: a ZIP that is sent as it is being made. */
  export: endpoint({ method: 'GET', path: '/api/user/export', access: 'session', proof: 'always', answer: 'file' }),
  prove: endpoint({ method: 'POST', path: '/api/user/proof', access: 'session', body: proof }),
  changePassword: endpoint({ method: 'POST', path: '/api/user/password', access: 'session', body: passwordChange }),
  removeGoogleSignIns: endpoint({ method: 'DELETE', path: '/api/user/google-sign-ins', access: 'session', proof: 'always', answer: user }),
  sessions: endpoint({ method: 'GET', path: '/api/user/sessions', access: 'session', answer: sessionList }),
  endOtherSessions: endpoint({ method: 'DELETE', path: '/api/user/sessions', access: 'session' }),
}

const twoFactor = '/api/user/two-factor'
/** The second factor of the signed-in person. Completing one asks for no proof, as it takes the secret that was shown when it was begun. */
export const twoFactorEndpoints = {
  begin: endpoint({
    method: 'POST',
    path: twoFactor,
    access: 'session',
    proof: 'without-password',
    body: passwordProof,
    answer: twoFactorSetup,
  }),
  confirm: endpoint({ method: 'POST', path: `${twoFactor}/confirm`, access: 'session', body: twoFactorConfirm, answer: userAnswer }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: `${twoFactor}/recovery-codes`,
    access: 'session',
    proof: 'without-password',
    body: passwordProof,
    answer: recoveryCodes,
  }),
  end: endpoint({
    method: 'DELETE',
    path: twoFactor,
    access: 'session',
    proof: 'without-password',
    body: passwordProof,
    answer: userAnswer,
  }),
}
