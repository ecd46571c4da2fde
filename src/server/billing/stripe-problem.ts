import { Refusal } from '../common/errors.ts'

type StripeProblem = Error & { type: string; code?: string | undefined }

/** Recognizes the SDK's errors by name: `instanceof` would load it. */
export const isStripeProblem = (error: unknown): error is StripeProblem =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe')

/** Stripe has nothing under the requested id. */
export const isMissing = (error: unknown): boolean => isStripeProblem(error) && error.code === 'resource_missing'

/** What went wrong at Stripe, in words for the person waiting; null if it isn't a Stripe error. */
export function refusalOf(error: unknown): Refusal | null {
  if (!isStripeProblem(error)) return null
  switch (error.type) {
    case 'StripeCardError':
      return new Refusal(409, error.message)
    case 'StripeConnectionError':
      return new Refusal(502, "Stripe can't be reached right now. Please try again.")
    case 'StripeRateLimitError':
      return new Refusal(502, 'Stripe is busy right now. Please try again in a minute.')
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return new Refusal(502, "Stripe rejected this installation's API key. Ask your administrator to check it.")
    default:
      return new Refusal(502, `Stripe refused the request: ${error.message}`)
  }
}
