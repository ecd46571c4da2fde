import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function googleUnlinked({ username }: LetterOf<'google-unlinked'>, baseUrl: string): Draft {
  const headline = 'Google login was removed from your account'
  return {
    subject: headline,
    mail: layout(
      {
        preview: 'Your password is now required to log in.',
        headline,
        reason: "You're receiving this email because it's about the security of your Ranklark account.",
        baseUrl,
      },
      paragraph(
        'You can no longer use a Google account to log in to the Ranklark account ',
        strong(username),
        '. All other sessions were logged out.',
      ),
      paragraph("If this was you, there's nothing to do. If it wasn't, change your password right away."),
      action('Open your profile', `${baseUrl}/account`),
    ),
  }
}
