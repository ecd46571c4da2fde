import type { Draft } from './layout.ts'
import type { Email, EmailOf } from './email.ts'
import {
  addressChanged,
  addressRestored,
  addressTaken,
  confirmAddress,
  confirmDeliveryAddress,
  confirmReportRecipient,
} from './emails/addresses.ts'
import { paymentFailed, planChanged, planEnded } from './emails/billing.ts'
import {
  accountDeleted,
  googleLinked,
  googleUnlinked,
  passwordChanged,
  recoveryCodesChanged,
  resetPassword,
  twoFactorChanged,
  usernameChanged,
} from './emails/security.ts'
import { supportReceived, supportRequest } from './emails/support.ts'
import { type Composed, render } from './render.ts'

type Kind = Email['kind']

const drafts: { [K in Kind]: (email: EmailOf<K>, baseUrl: string) => Draft } = {
  'confirm-address': confirmAddress,
  'confirm-delivery-address': confirmDeliveryAddress,
  'confirm-report-recipient': confirmReportRecipient,
  'address-taken': addressTaken,
  'reset-password': resetPassword,
  'password-changed': passwordChanged,
  'address-changed': addressChanged,
  'address-restored': addressRestored,
  'two-factor-changed': twoFactorChanged,
  'recovery-codes-changed': recoveryCodesChanged,
  'username-changed': usernameChanged,
  'google-linked': googleLinked,
  'google-unlinked': googleUnlinked,
  'account-deleted': accountDeleted,
  'plan-changed': planChanged,
  'payment-failed': paymentFailed,
  'plan-ended': planEnded,
  'support-request': supportRequest,
  'support-received': supportReceived,
}

const draftOf = <K extends Kind>(kind: K, email: EmailOf<K>, baseUrl: string): Draft => drafts[kind](email, baseUrl)

/**
 * An email's subject, HTML and text.
 * @param baseUrl this installation's URL, without a trailing slash
 */
export const compose = (email: Email, baseUrl: string): Composed => render(draftOf(email.kind, email, baseUrl))
