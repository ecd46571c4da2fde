import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function addressChanged({ username, newAddress, link }: LetterOf<'address-changed'>, baseUrl: string): Draft {
  return {
    subject: 'Your email address is being changed',
    mail: layout(
      {
        preview: 'If this was not you, undo it with the link in this email.',
        headline: 'Your email address is being changed',
        reason: "You're receiving this email because this is the address of a Ranklark account.",
        baseUrl,
      },
      paragraph(
        'The Ranklark account ',
        strong(username),
        ' is about to use ',
        strong(newAddress),
        ' instead of this address, once that is confirmed.',
      ),
      paragraph(
        'If this was you, there is nothing to do here. If it was not, undo the change: your account keeps this address, and everyone is logged out.',
      ),
      // A letter that was written by an earlier version brings no link.
      link === null ? action('Open your profile', `${baseUrl}/account`) : action('Undo the change', link),
      remark('The link works once, within 7 days, even after the new address is confirmed. It then asks you for a new password.'),
    ),
  }
}
