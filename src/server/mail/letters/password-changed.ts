import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function passwordChanged({ username }: LetterOf<'password-changed'>, baseUrl: string): Draft {
  return {
    subject: 'Your password was changed',
    mail: layout(
      {
        preview: "If this wasn't you, reset it right away.",
        headline: 'Your password was changed',
        reason: "You're receiving this email because it's about the security of your Ranklark account.",
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' has a new password. Every other browser was logged out.'),
      paragraph("If this was you, there's nothing to do. If it wasn't, reset your password right away."),
      action('Reset your password', `${baseUrl}/forgot-password`),
    ),
  }
}
