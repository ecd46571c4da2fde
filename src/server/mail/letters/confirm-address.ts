import { action, type Draft, layout, paragraph, remark, theAccount } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function confirmAddress({ username, link }: LetterOf<'confirm-address'>, baseUrl: string): Draft {
  return {
    subject: 'Confirm your email address',
    mail: layout(
      {
        preview: 'The link works once, within 24 hours.',
        headline: 'Confirm your email address',
        reason: "You're receiving this email because someone used this address for a Ranklark account.",
        baseUrl,
      },
      paragraph(...theAccount(username, 'The'), " uses this email address. If that's your account, confirm the address."),
      action('Confirm address', link),
      remark('The link works once, within 24 hours. Not you? Ignore this email.'),
    ),
  }
}
