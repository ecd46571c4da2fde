import type { Draft } from './layout.ts'
import type { Letter, LetterOf } from './letter.ts'
import {
  addressChanged,
  addressRestored,
  addressTaken,
  confirmAddress,
  confirmDeliveryAddress,
  confirmReportRecipient,
} from './letters/addresses.ts'
import { paymentFailed, planChanged, planEnded } from './letters/billing.ts'
import {
  accountDeleted,
  googleLinked,
  googleUnlinked,
  passwordChanged,
  recoveryCodesChanged,
  resetPassword,
  twoFactorChanged,
  usernameChanged,
} from './letters/security.ts'
import { supportReceived, supportRequest } from './letters/support.ts'
import { type Composed, render } from './render.ts'

type Kind = Letter['kind']

const drafts: { [K in Kind]: (letter: LetterOf<K>, baseUrl: string) => Draft } = {
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

const draftOf = <K extends Kind>(kind: K, letter: LetterOf<K>, baseUrl: string): Draft => drafts[kind](letter, baseUrl)

/**
 * An email's subject, HTML and text.
 * @param baseUrl this installation's URL, without a trailing slash
 */
export const compose = (letter: Letter, baseUrl: string): Composed => render(draftOf(letter.kind, letter, baseUrl))
