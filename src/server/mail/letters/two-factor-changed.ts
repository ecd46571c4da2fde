import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function twoFactorChanged({ username, enabled }: LetterOf<'two-factor-changed'>, baseUrl: string): Draft {
  const headline = `Two-factor authentication was turned ${enabled ? 'on' : 'off'}`
  return {
    subject: headline,
    mail: layout(
      {
        preview: enabled ? 'Logging in now requires a code.' : 'Your password alone is now enough to log in.',
        headline,
        reason: "You're receiving this email because it's about the security of your Ranklark account.",
        baseUrl,
      },
      enabled
        ? paragraph(
            'Logging in to the Ranklark account ',
            strong(username),
            ' now requires a code from your authenticator app, or a recovery code.',
          )
        : paragraph('Logging in to the Ranklark account ', strong(username), ' no longer requires a code. The password alone is enough.'),
      paragraph("If this was you, there's nothing to do. If it wasn't, change your password right away."),
      action('Open your profile', `${baseUrl}/account`),
    ),
  }
}
