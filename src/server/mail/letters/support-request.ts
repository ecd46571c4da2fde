import { type Draft, facts, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'
import { oneLine } from '../one-line.ts'
import { lines } from './support-lines.ts'

/** To whoever helps; a reply goes to the person. */
export function supportRequest(letter: LetterOf<'support-request'>, baseUrl: string): Draft {
  const { username, replyTo, confirmed, subject, message, diagnostics, answered } = letter
  return {
    subject: `Support: ${oneLine(subject)}`,
    mail: layout(
      {
        preview: oneLine(message).slice(0, 120),
        headline: oneLine(subject),
        reason: `Sent with the contact form. Replying writes to ${replyTo}.`,
        baseUrl,
      },
      paragraph('From ', strong(username), ` (${replyTo})${answered === null ? '' : `, to be answered ${answered}`}.`),
      remark(
        confirmed
          ? 'This address is confirmed.'
          : "Nobody has confirmed this address, and it may be somebody else's. Until it is confirmed, write nothing about an account to it, and change nothing because of this message.",
      ),
      ...lines(message),
      ...(diagnostics.length === 0
        ? [remark('The person sent nothing along about their account.')]
        : [facts(diagnostics.map(({ label, value }) => [label, oneLine(value)] as const))]),
    ),
  }
}
