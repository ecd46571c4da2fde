import type { ReactElement } from 'react'
import { draft, type Draft, facts, paragraph, remark, strong } from '../layout.ts'
import type { EmailOf } from '../email.ts'
import { oneLine } from '../one-line.ts'

export function supportRequest(email: EmailOf<'support-request'>, baseUrl: string): Draft {
  const { username, replyTo, confirmed, subject, message, diagnostics, answered } = email
  return draft(
    {
      subject: `Support: ${oneLine(subject)}`,
      headline: oneLine(subject),
      preview: oneLine(message).slice(0, 120),
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
  )
}

export function supportReceived(
  { username, subject, message, diagnostics, answered }: EmailOf<'support-received'>,
  baseUrl: string,
): Draft {
  const soon = answered === null ? '' : ` ${answered}`
  return draft(
    {
      subject: `We received your message: ${oneLine(subject)}`,
      headline: 'We received your message',
      preview: `You'll get a reply${soon}.`,
      reason: "You're receiving this email because you contacted support from your Ranklark account.",
      baseUrl,
    },
    paragraph('You wrote from the account ', strong(username), `. We'll reply to this address${soon}. Your message:`),
    ...lines(message),
    ...(diagnostics.length === 0
      ? []
      : [remark('Account details included:'), facts(diagnostics.map(({ label, value }) => [label, oneLine(value)] as const))]),
  )
}

/** User-supplied text, by paragraph. */
const lines = (message: string): ReactElement[] =>
  message
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '')
    .map((line) => paragraph(line))
