import type { Config } from '../config.ts'
import { mailAddress } from './address.ts'
import type { Composed } from './render.ts'
import { answerOf, failureOf } from './smtp-answer.ts'
import { openTransport } from './transport.ts'

export type Sending = {
  /** The same at every attempt: a mail that arrives twice is one and the same to the mail program. */
  key: string
  to: string
  composed: Composed
  /** When it was written. */
  date: Date
  /** Which of our mails it is, for filters. */
  kind: string
  headers?: Readonly<Record<string, string>>
  signal: AbortSignal
}

/** `reason` is the mail server's or the network's word, for the log; `answer` only the mail server's, on one line. */
export type Sent =
  | { outcome: 'sent'; answer: string }
  /** For good: `recipient` is never written to with success, `mail` says that this one is not taken. */
  | { outcome: 'refused'; about: 'recipient' | 'mail'; reason: string; answer: string | null }
  /** May pass at another attempt. */
  | { outcome: 'later'; reason: string; answer: string | null }

/** Hands a mail to the mail server. */
export async function sendMail(mail: NonNullable<Config['mail']>, sending: Sending): Promise<Sent> {
  const { key, to, composed, date, kind, headers, signal } = sending
  if (!mailAddress.safeParse(to).success) return { outcome: 'refused', about: 'recipient', reason: 'not an e-mail address', answer: null }
  try {
    const { response } = await openTransport(mail).sendMail({
      ...composed,
      from: mail.from,
      to: { name: '', address: to },
      messageId: `<${key}@${senderDomain(mail)}>`,
      date,
      // No holiday notices in return (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Ranklark-Letter': kind, ...headers },
      signal,
    })
    return { outcome: 'sent', answer: answerOf(response) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { kind: failure, answer } = failureOf(error)
    const told = { reason: error.message, answer }
    return failure === 'passing' ? { outcome: 'later', ...told } : { outcome: 'refused', about: failure, ...told }
  }
}

/** The domain that mail comes from. */
export function senderDomain({ from }: NonNullable<Config['mail']>): string {
  return /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost'
}
