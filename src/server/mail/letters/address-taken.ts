import { action, type Draft, inlineLink, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function addressTaken({ username, claimedBy }: LetterOf<'address-taken'>, baseUrl: string): Draft {
  return {
    subject: 'You already have a Ranklark account',
    mail: layout(
      {
        preview: 'Your address was given for another account, and stays with yours.',
        headline: 'Your address was given for another account',
        reason: 'You get this mail because this address belongs to a Ranklark account.',
        baseUrl,
      },
      paragraph(
        'The account ',
        strong(claimedBy),
        ' gave this address, at registration or in its profile. The address belongs to your account ',
        strong(username),
        ' and stays with it.',
      ),
      paragraph(
        'If that was you, log in as ',
        strong(username),
        '. If you have forgotten the password, you can ',
        inlineLink('reset it', `${baseUrl}/forgot-password`),
        '.',
      ),
      action('Log in', `${baseUrl}/login`),
      remark('If it was not you, there is nothing to do: the other account sees nothing of yours.'),
    ),
  }
}
