import { type Draft, facts, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'
import { oneLine } from '../one-line.ts'
import { lines } from './support-lines.ts'

export function supportReceived(
  { username, subject, message, diagnostics, answered }: LetterOf<'support-received'>,
  baseUrl: string,
): Draft {
  const soon = answered === null ? '' : ` ${answered}`
  return {
    subject: `We received your message: ${oneLine(subject)}`,
    mail: layout(
      {
        preview: `You'll get a reply${soon}.`,
        headline: 'We received your message',
        reason: "You're receiving this email because you contacted support from your Ranklark account.",
        baseUrl,
      },
      paragraph('You wrote from the account ', strong(username), `. We'll reply to this address${soon}. Your message:`),
      ...lines(message),
      ...(diagnostics.length === 0
        ? []
        : [remark('Account details included:'), facts(diagnostics.map(({ label, value }) => [label, oneLine(value)] as const))]),
    ),
  }
}
