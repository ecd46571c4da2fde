import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function resetPassword({ username, link, isConfirmed }: LetterOf<'reset-password'>, baseUrl: string): Draft {
  return {
    subject: 'Reset your password',
    mail: layout(
      {
        preview: 'The link works once, within 1 hour.',
        headline: 'Reset your password',
        reason: "You're receiving this email because a Ranklark account uses this address.",
        baseUrl,
      },
      paragraph('Someone asked to reset the password of the Ranklark account ', strong(username), '. If this was you, choose a new one.'),
      ...(isConfirmed
        ? []
        : [
            paragraph(
              'This address was never confirmed, so someone else may have set up the account. Setting a new password removes its Google accounts, API keys, alert destinations, shared links, scheduled reports and two-factor authentication.',
            ),
          ]),
      action('Choose a new password', link),
      remark('The link works once, within 1 hour. Not you? Ignore this email, and your password will stay the same.'),
    ),
  }
}
