import { StripeFailure } from '../wire/errors.ts'

/** Why a card is declined, in Stripe's words. */
export interface CardProblem {
  readonly code: string
  readonly decline_code?: string
  readonly message: string
  readonly param?: string
}

export interface Behavior {
  /** Declined as soon as it is to be attached to a customer. */
  readonly setup: CardProblem | null
  readonly charge: CardProblem | null
  /** `first`: until authenticated once while being set up for later payments. */
  readonly threeDSecure: 'never' | 'first' | 'always'
}

const declined: CardProblem = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' }

export const PROBLEMS = {
  generic_decline: declined,
  insufficient_funds: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  lost_card: { code: 'card_declined', decline_code: 'lost_card', message: 'Your card was declined.' },
  expired_card: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.', param: 'exp_month' },
  incorrect_cvc: { code: 'incorrect_cvc', decline_code: 'incorrect_cvc', message: "Your card's security code is incorrect.", param: 'cvc' },
  authentication_required: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
} as const satisfies Readonly<Record<string, CardProblem>>
export type ProblemName = keyof typeof PROBLEMS

const refusing = (problem: CardProblem): Behavior => ({ setup: problem, charge: problem, threeDSecure: 'never' })

export const BEHAVIORS = {
  succeeds: { setup: null, charge: null, threeDSecure: 'never' },
  declined: refusing(declined),
  insufficient_funds: refusing(PROBLEMS.insufficient_funds),
  expired_card: refusing(PROBLEMS.expired_card),
  incorrect_cvc: refusing(PROBLEMS.incorrect_cvc),
  fails_later: { setup: null, charge: declined, threeDSecure: 'never' },
  authenticates_once: { setup: null, charge: null, threeDSecure: 'first' },
  authenticates_always: { setup: null, charge: null, threeDSecure: 'always' },
  authenticates_then_declined: { setup: null, charge: declined, threeDSecure: 'always' },
} as const satisfies Readonly<Record<string, Behavior>>
export type BehaviorName = keyof typeof BEHAVIORS

/** Stripe's test cards. */
const NUMBERS: Readonly<Record<string, BehaviorName>> = {
  '4242424242424242': 'succeeds',
  '4000056655665556': 'succeeds',
  '5555555555554444': 'succeeds',
  '378282246310005': 'succeeds',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000341': 'fails_later',
  '4000002500003155': 'authenticates_once',
  '4000002760003184': 'authenticates_always',
  '4000008400001629': 'authenticates_then_declined',
}

/** Payment methods that Stripe provides in test mode, by the number of their card. */
export const READY_MADE: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
}

export const cardError = (problem: CardProblem, more: object = {}): StripeFailure =>
  new StripeFailure(402, { type: 'card_error', ...problem, ...more })

function passesLuhn(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** How a card behaves, or Stripe's error for the input. */
export function behaviorOf(card: { number: string; exp_month: number; exp_year: number; cvc: string | null }, now: Date): BehaviorName {
  if (!/^\d{12,19}$/.test(card.number) || !passesLuhn(card.number)) {
    throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.', param: 'number' })
  }
  if (card.exp_month < 1 || card.exp_month > 12) {
    throw cardError({ code: 'invalid_expiry_month', message: "Your card's expiration month is invalid.", param: 'exp_month' })
  }
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1]
  if (card.exp_year < year || card.exp_year > year + 50) {
    throw cardError({ code: 'invalid_expiry_year', message: "Your card's expiration year is invalid.", param: 'exp_year' })
  }
  if (card.exp_year === year && card.exp_month < month) {
    throw cardError({ code: 'invalid_expiry_month', message: "Your card's expiration month is invalid.", param: 'exp_month' })
  }
  if (card.cvc !== null && !/^\d{3,4}$/.test(card.cvc)) {
    throw cardError({ code: 'invalid_cvc', message: "Your card's security code is invalid.", param: 'cvc' })
  }
  const known = NUMBERS[card.number]
  if (known === undefined) {
    throw cardError({
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message:
        'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
    })
  }
  return known
}
