import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function twoFactorChanged({ username, enabled }: LetterOf<'two-factor-changed'>, baseUrl: string): Draft {
  const headline = `Two-factor authentication was turned ${enabled ? 'on' : 'off'}`
  return {
    subject: headline,
    mail: layout(
      {
        preview: enabled ? 'Logging in needs a code from now on.' : 'The password alone is enough from now on.',
        headline,
        reason: 'You get this mail because it is about the security of your Ranklark account.',
        baseUrl,
      },
      enabled
        ? paragraph(
            'Logging in to the Ranklark account ',
            strong(username),
            ' now needs a code of your authenticator app, or a recovery code.',
          )
        : paragraph('Logging in to the Ranklark account ', strong(username), ' needs no code any more: the password alone is enough.'),
      paragraph('If it was you, there is nothing to do. If it was not, change the password at once.'),
      action('Open your profile', `${baseUrl}/account`),
    ),
  }
}
