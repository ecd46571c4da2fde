import { action, type Draft, footerLink, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'

export function confirmReportRecipient({ username, link, never }: LetterOf<'confirm-report-recipient'>, baseUrl: string): Draft {
  return {
    subject: 'Do you want search reports at this address?',
    mail: layout(
      {
        preview: 'The link works for 7 days. Without it, no report is sent here.',
        headline: 'Do you want search reports at this address?',
        reason: 'You get this mail because somebody entered this address as a recipient of a Ranklark account’s reports.',
        baseUrl,
        footer: [['Never ask me again: ', footerLink('No reports from this account', never)]],
      },
      paragraph('The Ranklark account ', strong(username), ' wants to email you reports on how a site does in Google Search.'),
      action('Get these reports', link),
      remark('The link works for 7 days. If you do not know this account, do nothing: without you, no report is sent here.'),
    ),
  }
}
