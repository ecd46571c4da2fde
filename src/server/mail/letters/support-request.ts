import { type Draft, facts, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'
import { oneLine } from '../one-line.ts'
import { lines } from './support-lines.ts'

export function supportRequest(letter: LetterOf<'support-request'>, baseUrl: string): Draft {
  const { username, replyTo, confirmed, subject, message, diagnostics, answered } = letter
  return {
    subject: `Support: ${oneLine(subject)}`,
    mail: layout(
      {
        preview: oneLine(message).slice(0, 120),
        headline: oneLine(subject),
        reason: `Sent from the contact form. Replies go to ${replyTo}.`,
        baseUrl,
      },
      paragraph('From ', strong(username), ` (${replyTo})${answered === null ? '' : `, reply due ${answered}`}.`),
      remark(
        confirmed
          ? 'This address is confirmed.'
          : "This address isn't confirmed and may belong to someone else. Until it's confirmed, don't send account information to it, and don't change anything because of this message.",
      ),
      ...lines(message),
      ...(diagnostics.length === 0
        ? [remark('No account details were included.')]
        : [facts(diagnostics.map(({ label, value }) => [label, oneLine(value)] as const))]),
    ),
  }
}
