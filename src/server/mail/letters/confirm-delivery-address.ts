import { action, type Draft, layout, paragraph, remark, theAccount } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function confirmDeliveryAddress({ username, link }: LetterOf<'confirm-delivery-address'>, baseUrl: string): Draft {
  return {
    subject: 'Confirm this address for alerts',
    mail: layout(
      {
        preview: 'The link works for 7 days. Nothing will be sent until you confirm.',
        headline: 'Send alerts to this address?',
        reason: "You're receiving this email because someone asked to send a Ranklark account's alerts to this address.",
        baseUrl,
      },
      paragraph('The owner of ', ...theAccount(username), ' wants to send its alerts and digests here. Confirm this address if you agree.'),
      action('Confirm address', link),
      remark("The link works for 7 days. Don't know this account? Ignore this email, and no alerts will be sent here."),
    ),
  }
}
