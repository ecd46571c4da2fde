import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function googleLinked({ to, username, account }: LetterOf<'google-linked'>, baseUrl: string): Draft {
  return {
    subject: 'A Google account can now be used to log in to your account',
    mail: layout(
      {
        preview: "If this wasn't you, remove it and change your password.",
        headline: 'A Google account can now be used to log in to your account',
        reason: "You're receiving this email because it's about the security of your Ranklark account.",
        baseUrl,
      },
      paragraph('The Google account ', strong(account ?? to), ' can now be used to log in to the Ranklark account ', strong(username), '.'),
      paragraph("If this was you, there's nothing to do. If it wasn't, remove that Google account and change your password."),
      action('Open your profile', `${baseUrl}/account`),
    ),
  }
}
