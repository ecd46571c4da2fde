import type { Config } from '../config.ts'
import { mailAddress } from './address.ts'
import { oneLine } from './one-line.ts'
import type { Composed } from './render.ts'
import { answerOf, failureOf } from './smtp-answer.ts'
import { openTransport } from './transport.ts'

export type Sending = {
  /** The same for every attempt: mail programs recognize duplicates by it. */
  key: string
  to: string
  composed: Composed
  /** When it was written. */
  date: Date
  /** Which of our emails it is, for filters; null if it must not be recognizable as ours. */
  kind: string | null
  /** The sender's name if it isn't us; the address stays ours, so that emails arrive. */
  senderName?: string | undefined
  attachments?: readonly Attached[]
  headers?: Readonly<Record<string, string>>
  /** Whom replies go to, if not the sender. */
  replyTo?: string
  signal: AbortSignal
}

/** With an `id` it is an image that the email shows as `cid:…`. */
export type Attached = { fileName: string; type: string; content: Buffer; id?: string }

/** `reason` comes from the mail server or the network, for the log; `answer` only from the mail server, on one line. */
export type Sent =
  | { outcome: 'sent'; answer: string }
  /** Permanently: `recipient` never accepts emails, `mail` means that this one isn't accepted. */
  | { outcome: 'refused'; about: 'recipient' | 'mail'; reason: string; answer: string | null }
  /** May succeed later. */
  | { outcome: 'later'; reason: string; answer: string | null }

/** Passes an email to the mail server. */
export async function sendMail(mail: NonNullable<Config['mail']>, sending: Sending): Promise<Sent> {
  const { key, to, composed, date, kind, senderName, attachments = [], headers, replyTo, signal } = sending
  if (!mailAddress.safeParse(to).success) return { outcome: 'refused', about: 'recipient', reason: 'not an email address', answer: null }
  try {
    const { response } = await openTransport(mail).sendMail({
      ...composed,
      // As name and address, so that no name can turn into an address or a header.
      from: senderName === undefined ? mail.from : { name: oneLine(senderName), address: senderAddress(mail) },
      to: { name: '', address: to },
      ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
      messageId: `<${key}@${senderDomain(mail)}>`,
      date,
      // Prevents out-of-office replies (RFC 3834).
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
    const details = { reason: error.message, answer }
    return failure === 'passing' ? { outcome: 'later', ...details } : { outcome: 'refused', about: failure, ...details }
  }
}

/** The domain that emails are sent from. */
export function senderDomain({ from }: NonNullable<Config['mail']>): string {
  return /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost'
}

/** `no-reply@example.com` of `Name <no-reply@example.com>` (config.ts). */
const senderAddress = ({ from }: NonNullable<Config['mail']>): string => /<([^<>]+)>$/.exec(from)?.[1] ?? from
