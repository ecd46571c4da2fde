import type { HeldPlan } from '../../../contract/user.ts'
import { plans } from '../../../core/billing/plans.ts'
import { type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function accountDeleted({ username, plan }: LetterOf<'account-deleted'>, baseUrl: string): Draft {
  return {
    subject: 'Your account was deleted',
    mail: layout(
      {
        preview: 'This is the last mail about it.',
        headline: 'Your account was deleted',
        reason: 'You get this mail because this was the address of the account. It is the last one about it.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' and everything stored for it were deleted. This cannot be undone.'),
      paragraph(`${ended(plan)}Access to Google is given back.`),
      remark('If it was not you, somebody knows your password: change it wherever else you use it.'),
    ),
  }
}

const ended = (plan: HeldPlan): string =>
  plan === null || plan === 'free' ? '' : `The ${plans[plan].name} plan ends with the account and is not charged again. `
