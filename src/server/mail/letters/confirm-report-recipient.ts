import { action, type Draft, footerLink, layout, paragraph, remark, theAccount } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function confirmReportRecipient({ username, link, never }: LetterOf<'confirm-report-recipient'>, baseUrl: string): Draft {
  return {
    subject: 'Get search reports at this address?',
    mail: layout(
      {
        preview: 'The link works for 7 days. No reports will be sent until you confirm.',
        headline: 'Get search reports at this address?',
        reason: "You're receiving this email because someone added this address as a recipient of a Ranklark account's reports.",
        baseUrl,
        footer: [["Don't want to be asked again? ", footerLink('Block reports from this account', never)]],
      },
      paragraph('The owner of ', ...theAccount(username), " wants to email you reports on a site's performance in Google Search."),
      action('Get these reports', link),
      remark("The link works for 7 days. Don't know this account? Ignore this email, and no reports will be sent here."),
    ),
  }
}
