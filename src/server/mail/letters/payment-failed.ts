import { plans } from '../../../core/billing/plans.ts'
import { dayOf, priceOf } from '../figures.ts'
import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function paymentFailed({ username, plan, nextAttemptAt }: LetterOf<'payment-failed'>, baseUrl: string): Draft {
  const { name } = plans[plan]
  return {
    subject: `The payment for your ${name} plan failed`,
    mail: layout(
      {
        preview: nextAttemptAt === null ? 'Please check your card.' : `We try again on ${dayOf(nextAttemptAt)}.`,
        headline: `The payment for your ${name} plan failed`,
        reason: 'You get this mail because your Ranklark account has a paid plan.',
        baseUrl,
      },
      paragraph(
        'The renewal of the ',
        strong(`${name} plan`),
        ` (${priceOf(plan)}) of the account `,
        strong(username),
        ' could not be charged.',
      ),
      paragraph(
        nextAttemptAt === null
          ? 'Please check your card or enter another one.'
          : `We try again on ${dayOf(nextAttemptAt)}. Until then everything goes on. Please check your card or enter another one.`,
      ),
      action('Check your card', `${baseUrl}/settings`),
      remark('If the payment keeps failing, the account goes back to the Free plan. Nothing is deleted.'),
    ),
  }
}
