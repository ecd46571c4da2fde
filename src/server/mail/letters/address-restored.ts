import { action, type Draft, layout, paragraph, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function addressRestored({ username, restored }: LetterOf<'address-restored'>, baseUrl: string): Draft {
  return {
    subject: 'Your email address was changed back',
    mail: layout(
      {
        preview: "The change of your account's address was undone.",
        headline: 'Your email address was changed back',
        reason: "You're receiving this email because this address belonged to a Ranklark account.",
        baseUrl,
      },
      paragraph(
        'The Ranklark account ',
        strong(username),
        ' uses ',
        strong(restored),
        ' again instead of this address: somebody opened the link in the email that was sent there when the address was changed.',
      ),
      paragraph('Everyone was logged out, and the password was removed. Whoever reads email at that address can set a new one.'),
      paragraph("If that isn't your address, or you no longer have it, contact the people who run this installation."),
      action('Open Ranklark', baseUrl),
    ),
  }
}
