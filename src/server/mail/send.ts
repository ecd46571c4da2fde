import type { Config } from '../config.ts'
import { mailAddress } from './address.ts'
import { oneLine } from './one-line.ts'
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
  /** Which of our mails it is, for filters; null for one that is not to be known as ours. */
  kind: string | null
  /** What the sender is called, where it is not us; the address stays ours, so that mails arrive. */
  senderName?: string | undefined
  attachments?: readonly Attached[]
  headers?: Readonly<Record<string, string>>
  /** Whom a reply goes to, where it is not the sender. */
  replyTo?: string
  signal: AbortSignal
}

/** With an `id` it is a picture that the mail shows as `cid:…`. */
export type Attached = { fileName: string; type: string; content: Buffer; id?: string }

/** `reason` is the mail server's or the network's word, for the log; `answer` only the mail server's, on one line. */
export type Sent =
  | { outcome: 'sent'; answer: string }
  /** For good: `recipient` is never written to with success, `mail` says that this one is not taken. */
  | { outcome: 'refused'; about: 'recipient' | 'mail'; reason: string; answer: string | null }
  /** May pass at another attempt. */
  | { outcome: 'later'; reason: string; answer: string | null }

/** Hands a mail to the mail server. */
export async function sendMail(mail: NonNullable<Config['mail']>, sending: Sending): Promise<Sent> {
  const { key, to, composed, date, kind, senderName, attachments = [], headers, replyTo, signal } = sending
  if (!mailAddress.safeParse(to).success) return { outcome: 'refused', about: 'recipient', reason: 'not an email address', answer: null }
  try {
    const { response } = await openTransport(mail).sendMail({
      ...composed,
      // As name and address, so that no name can become an address or a header.
      from: senderName === undefined ? mail.from : { name: oneLine(senderName), address: senderAddress(mail) },
      to: { name: '', address: to },
      ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
      messageId: `<${key}@${senderDomain(mail)}>`,
      date,
      // No holiday notices in return (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', ...(kind !== null && { 'X-Ranklark-Letter': kind }), ...headers },
      attachments: attachments.map(({ fileName, type, content, id }) => ({
        filename: fileName,
        contentType: type,
        content,
        contentDisposition: id === undefined ? ('attachment' as const) : ('inline' as const),
        ...(id !== undefined && { cid: id }),
      })),
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

/** `no-reply@example.com` of `Name <no-reply@example.com>` (config.ts). */
const senderAddress = ({ from }: NonNullable<Config['mail']>): string => /<([^<>]+)>$/.exec(from)?.[1] ?? from
