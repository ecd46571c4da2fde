import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function confirmAddress({ username, link }: LetterOf<'confirm-address'>, baseUrl: string): Draft {
  return {
    subject: 'Confirm your e-mail address',
    mail: layout(
      {
        preview: 'The link works once, within 24 hours.',
        headline: 'Confirm that this address is yours',
        reason: 'You get this mail because somebody gave this address for a Ranklark account.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' names this as its e-mail address. Confirm it if that is you.'),
      action('Confirm address', link),
      remark('The link works once, within 24 hours. If this is not your account, do nothing: it never gets your address without you.'),
    ),
  }
}
