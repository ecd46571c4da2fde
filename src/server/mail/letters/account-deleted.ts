import { type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function accountDeleted({ username }: LetterOf<'account-deleted'>, baseUrl: string): Draft {
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
      paragraph('A paid plan ends with the account and is not charged again. Access to Google is given back.'),
      remark('If it was not you, somebody knows your password: change it wherever else you use it.'),
    ),
  }
}
