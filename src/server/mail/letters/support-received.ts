import { type Draft, facts, layout, paragraph, remark, strong } from '../layout.ts'
import type { LetterOf } from '../letter.ts'
import { oneLine } from '../one-line.ts'
import { lines } from './support-lines.ts'

/** To the person, so that they have what they wrote. */
export function supportReceived(
  { username, subject, message, diagnostics, answered }: LetterOf<'support-received'>,
  baseUrl: string,
): Draft {
  const soon = answered === null ? '' : ` ${answered}`
  return {
    subject: `We have your message: ${oneLine(subject)}`,
    mail: layout(
      {
        preview: `You will have an answer${soon}.`,
        headline: 'We have your message',
        reason: 'You get this mail because you wrote to support from your Ranklark account.',
        baseUrl,
      },
      paragraph('You wrote from the account ', strong(username), `, and will have an answer at this address${soon}. Your message:`),
      ...lines(message),
      ...(diagnostics.length === 0
        ? []
        : [remark('Sent along about your account:'), facts(diagnostics.map(({ label, value }) => [label, oneLine(value)] as const))]),
    ),
  }
}
