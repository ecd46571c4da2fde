import type { HeldPlan } from '../../../contract/user.ts'
import { plans } from '../../../core/billing/plans.ts'
import { type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function accountDeleted({ username, plan }: LetterOf<'account-deleted'>, baseUrl: string): Draft {
  return {
    subject: 'Your account was deleted',
    mail: layout(
      {
        preview: 'This is the last email about it.',
        headline: 'Your account was deleted',
        reason: "You're receiving this email because this was the account's address. It's the last email about this account.",
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), " and all its data have been deleted. This can't be undone."),
      paragraph(`${ended(plan)}Google access has been revoked.`),
      remark("If this wasn't you, someone knows your password. Change it everywhere else you use it."),
    ),
  }
}

const ended = (plan: HeldPlan): string =>
  plan === null || plan === 'free' ? '' : `The ${plans[plan].name} plan has ended and won't be charged again. `
