import { action, type Draft, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function confirmDeliveryAddress({ username, link }: LetterOf<'confirm-delivery-address'>, baseUrl: string): Draft {
  return {
    subject: 'Confirm that alerts may come here',
    mail: layout(
      {
        preview: 'The link works for 7 days. Without it, nothing is sent here.',
        headline: 'Shall alerts come to this address?',
        reason: 'You get this mail because somebody asked for alerts of a Ranklark account to be sent to this address.',
        baseUrl,
      },
      paragraph('The Ranklark account ', strong(username), ' wants its alerts and digests sent here. Confirm it if you agree.'),
      action('Confirm address', link),
      remark('The link works for 7 days. If you do not know this account, do nothing: without you, nothing more is sent here.'),
    ),
  }
}
