import { plans } from '../../../core/billing/plans.ts'
import { dayOf, priceOf } from '../figures.ts'
import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function paymentFailed({ username, plan, nextAttemptAt }: LetterOf<'payment-failed'>, baseUrl: string): Draft {
  const { name } = plans[plan]
  return {
    subject: `Payment for your ${name} plan failed`,
    mail: layout(
      {
        preview: nextAttemptAt === null ? 'Check your card.' : `We'll try again on ${dayOf(nextAttemptAt)}.`,
        headline: `Payment for your ${name} plan failed`,
        reason: "You're receiving this email because your Ranklark account has a paid plan.",
        baseUrl,
      },
      paragraph(
        "We couldn't charge your card to renew the ",
        strong(`${name} plan`),
        ` (${priceOf(plan)}) for the account `,
        strong(username),
        '.',
      ),
      paragraph(
        nextAttemptAt === null
          ? 'Check your card or add another one.'
          : `We'll try again on ${dayOf(nextAttemptAt)}. Until then, your plan stays active. Check your card or add another one.`,
      ),
      action('Check your card', `${baseUrl}/settings`),
      remark('If payment keeps failing, the account will move to the Free plan. Nothing will be deleted.'),
    ),
  }
}
