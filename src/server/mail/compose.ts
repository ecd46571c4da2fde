import type { Draft } from './layout.ts'
import type { Letter } from './letter.ts'
import { accountDeleted } from './letters/account-deleted.ts'
import { addressChanged } from './letters/address-changed.ts'
import { addressRestored } from './letters/address-restored.ts'
import { addressTaken } from './letters/address-taken.ts'
import { confirmAddress } from './letters/confirm-address.ts'
import { confirmDeliveryAddress } from './letters/confirm-delivery-address.ts'
import { confirmReportRecipient } from './letters/confirm-report-recipient.ts'
import { googleLinked } from './letters/google-linked.ts'
import { googleUnlinked } from './letters/google-unlinked.ts'
import { passwordChanged } from './letters/password-changed.ts'
import { paymentFailed } from './letters/payment-failed.ts'
import { planChanged } from './letters/plan-changed.ts'
import { planEnded } from './letters/plan-ended.ts'
import { resetPassword } from './letters/reset-password.ts'
import { supportReceived } from './letters/support-received.ts'
import { supportRequest } from './letters/support-request.ts'
import { twoFactorChanged } from './letters/two-factor-changed.ts'
import { type Composed, render } from './render.ts'

/**
 * An email's subject, HTML and text.
 * @param baseUrl this installation's URL, without a trailing slash
 */
export const compose = (letter: Letter, baseUrl: string): Composed => render(draft(letter, baseUrl))

function draft(letter: Letter, baseUrl: string): Draft {
  switch (letter.kind) {
    case 'confirm-address':
      return confirmAddress(letter, baseUrl)
    case 'confirm-delivery-address':
      return confirmDeliveryAddress(letter, baseUrl)
    case 'confirm-report-recipient':
      return confirmReportRecipient(letter, baseUrl)
    case 'address-taken':
      return addressTaken(letter, baseUrl)
    case 'reset-password':
      return resetPassword(letter, baseUrl)
    case 'password-changed':
      return passwordChanged(letter, baseUrl)
    case 'address-changed':
      return addressChanged(letter, baseUrl)
    case 'address-restored':
      return addressRestored(letter, baseUrl)
    case 'two-factor-changed':
      return twoFactorChanged(letter, baseUrl)
    case 'google-linked':
      return googleLinked(letter, baseUrl)
    case 'google-unlinked':
      return googleUnlinked(letter, baseUrl)
    case 'account-deleted':
      return accountDeleted(letter, baseUrl)
    case 'plan-changed':
      return planChanged(letter, baseUrl)
    case 'payment-failed':
      return paymentFailed(letter, baseUrl)
    case 'plan-ended':
      return planEnded(letter, baseUrl)
    case 'support-request':
      return supportRequest(letter, baseUrl)
    case 'support-received':
      return supportReceived(letter, baseUrl)
  }
}
