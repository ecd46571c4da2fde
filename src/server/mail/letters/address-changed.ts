import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function addressChanged({ username, newAddress, link }: LetterOf<'address-changed'>, baseUrl: string): Draft {
  return {
    subject: 'Your email address is being changed',
    mail: layout(
      {
        preview: "If this wasn't you, undo it with the link in this email.",
        headline: 'Your email address is being changed',
        reason: "You're receiving this email because this address belongs to a Ranklark account.",
        baseUrl,
      },
      paragraph(
        'The Ranklark account ',
        strong(username),
        ' will use ',
        strong(newAddress),
        ' instead of this address once the new address is confirmed.',
      ),
      paragraph(
        "If this was you, there's nothing to do. If it wasn't, undo the change: your account will keep this address, and everyone will be logged out.",
      ),
      // An email written by an earlier version has no link.
      link === null ? action('Open your profile', `${baseUrl}/account`) : action('Undo the change', link),
      remark("The link works once, within 7 days, even after the new address is confirmed. You'll then be asked for a new password."),
    ),
  }
}
