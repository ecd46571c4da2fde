import { action, type Draft, inlineLink, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function addressTaken({ username }: LetterOf<'address-taken'>, baseUrl: string): Draft {
  return {
    subject: 'You already have a Ranklark account',
    mail: layout(
      {
        preview: 'Your address stays with your account.',
        headline: 'Someone tried to use your email address',
        reason: "You're receiving this email because this address belongs to a Ranklark account.",
        baseUrl,
      },
      paragraph(
        'The owner of another account tried to use this address. It belongs to your account ',
        strong(username),
        ' and will stay there.',
      ),
      paragraph(
        'If that was you, log in as ',
        strong(username),
        '. Forgot your password? You can ',
        inlineLink('reset it', `${baseUrl}/forgot-password`),
        '.',
      ),
      action('Log in', `${baseUrl}/login`),
      remark("If it wasn't you, there's nothing to do. The other account can't see any of your data."),
    ),
  }
}
