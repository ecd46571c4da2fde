import { nameForStrangers, operatorNames } from '../../mail/operators.ts'
import type { AlertVerdict } from '../../../contract/alerts/alerts.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import type { Config } from '../../config.ts'
import type { Sent } from '../../mail/send.ts'
import type { Channel, Outcome } from '../channels/channel.ts'
import type { MessageItem } from '../message.ts'
import { cut } from '../outbound/names.ts'

export type EmailChannelDeps = {
  mail: Config['mail']
  /** Where a person unsubscribes: a page for people, and a URL that mail programs post to (RFC 8058). */
  unsubscribe: (userId: string, address: string) => { page: string; oneClick: string }
  /** Where the reader says whether an alert was useful. */
  verdict: (mailed: { userId: string; address: string }, alert: Pick<MessageItem, 'alertId' | 'openedAt'>, verdict: AlertVerdict) => string
}

const mostDomain = 60

/** Alert emails, which everybody can stop with one click. */
export function createEmailChannel({ mail, unsubscribe, verdict }: EmailChannelDeps): Channel {
  return {
    async send({ key, message, destination, person, baseUrl, writtenAt }, signal) {
      if (mail === undefined) return { outcome: 'later', reason: noMailText }
      // Loaded with the first email, like all emails (docs/decisions/0018).
      const [{ composeMail }, { sendMail, senderDomain }] = await Promise.all([import('./compose-mail.ts'), import('../../mail/send.ts')])
      const { page, oneClick } = unsubscribe(person.id, destination)
      const sent = await sendMail(mail, {
        key,
        to: destination,
        composed: composeMail(message, {
          username: nameForStrangers(person.username, operatorNames(mail, baseUrl)),
          timeZone: person.timeZone,
          baseUrl,
          unsubscribePage: page,
          verdictPage: (alert, said) => verdict({ userId: person.id, address: destination }, alert, said),
        }),
        date: writtenAt,
        kind: message.kind,
        headers: {
          'List-Id': `Ranklark ${message.kind} <${message.kind}.${senderDomain(mail)}>`,
          'List-Unsubscribe': `<${oneClick}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
        signal,
      })
      return outcomeOf(sent, destination)
    },
  }
}

function outcomeOf(sent: Sent, destination: string): Outcome {
  if (sent.outcome === 'sent') return { outcome: 'sent', reference: sent.answer }
  // Network errors name machines of the operator; only the mail server's own words are for its users.
  const said = sent.answer === null ? '' : ` (${sent.answer})`
  if (sent.outcome === 'later') {
    const reason = sent.answer === null ? 'The mail server could not be reached.' : `The mail server can't accept email right now${said}.`
    return { outcome: 'later', reason }
  }
  if (sent.about === 'mail') return { outcome: 'refused', disables: false, reason: `The mail server rejected this email${said}.` }
  const elsewhere = 'Enter another address in Alert Settings.'
  if (sent.answer === null) return { outcome: 'refused', disables: true, reason: `This isn't a valid email address. ${elsewhere}` }
  const domain = cut(destination.slice(destination.lastIndexOf('@') + 1), mostDomain)
  return { outcome: 'refused', disables: true, reason: `The mail server at ${domain} rejects this address${said}. ${elsewhere}` }
}
