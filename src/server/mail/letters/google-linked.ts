import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function googleLinked({ username }: LetterOf<'google-linked'>, baseUrl: string): Draft {
  return {
    subject: 'Sign-in with Google was linked to your account',
    mail: layout(
      {
        preview: 'Your account can now be opened with Google.',
        headline: 'Sign-in with Google was linked to your account',
        reason: 'You get this mail because it is about the security of your Ranklark account.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' can now be opened with the Google account of this address.'),
      paragraph('If it was you, there is nothing to do. If it was not, secure your Google account, then change the password here.'),
      action('Open your profile', `${baseUrl}/account`),
    ),
  }
}
