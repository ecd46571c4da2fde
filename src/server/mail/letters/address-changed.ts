import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function addressChanged({ username, newAddress, link }: LetterOf<'address-changed'>, baseUrl: string): Draft {
  return {
    subject: 'Your email address is being changed',
    mail: layout(
      {
        preview: link === null ? "What to do if this wasn't you." : "If this wasn't you, undo it with the link in this email.",
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
      ...(link === null
        ? [
            paragraph(
              "If this was you, there's nothing to do. This address became the account's less than 7 days ago, so it can't undo the change. If it wasn't you, use the link in the email that was sent to the account's previous address.",
            ),
            action('Open your profile', `${baseUrl}/account`),
          ]
        : [
            paragraph(
              "If this was you, there's nothing to do. If it wasn't, undo the change: your account will keep this address, and everyone will be logged out.",
            ),
            action('Undo the change', link),
            remark("The link works once, within 7 days, even after the new address is confirmed. You'll then be asked for a new password."),
          ]),
    ),
  }
}
