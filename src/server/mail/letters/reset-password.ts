import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function resetPassword({ username, link, isConfirmed }: LetterOf<'reset-password'>, baseUrl: string): Draft {
  return {
    subject: 'Reset your password',
    mail: layout(
      {
        preview: 'The link works once, within 1 hour.',
        headline: 'A new password was asked for',
        reason: 'You get this mail because a Ranklark account names this address.',
        baseUrl,
      },
      paragraph('Somebody asked to reset the password of the Ranklark account ', strong(username), '. If it was you, choose a new one.'),
      ...(isConfirmed
        ? []
        : [
            paragraph(
              'This address was never confirmed, so somebody else may have set up the account. Setting a new password removes its Google accounts, API keys, alert destinations, shared links, scheduled reports and two-factor authentication.',
            ),
          ]),
      action('Choose a new password', link),
      remark('The link works once, within 1 hour. If it was not you, do nothing: the password stays as it is.'),
    ),
  }
}
