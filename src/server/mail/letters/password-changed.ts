import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function passwordChanged({ username }: LetterOf<'password-changed'>, baseUrl: string): Draft {
  return {
    subject: 'Your password was changed',
    mail: layout(
      {
        preview: 'If it was not you, reset it at once.',
        headline: 'Your password was changed',
        reason: 'You get this mail because it is about the security of your Ranklark account.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' has a new password. Every other browser was signed out.'),
      paragraph('If it was you, there is nothing to do. If it was not, reset the password at once.'),
      action('Reset the password', `${baseUrl}/forgot-password`),
    ),
  }
}
