import type { Config } from '../config.ts'
import { compose } from './compose.ts'
import type { WaitingLetter } from './letter.ts'
import { openTransport, refusedForGood } from './transport.ts'

export type Sending = {
  /** The same at every attempt: a letter that arrives twice is one and the same to the mail program. */
  id: string
  waiting: WaitingLetter
  signal: AbortSignal
}

/** `refused`: for good. `later`: may pass at another attempt. The reason is the mail server's or the network's word. */
export type Sent = { outcome: 'sent' | 'refused' | 'later'; reason?: string }

/** Composes a letter and hands it to the mail server. */
export async function send(mail: NonNullable<Config['mail']>, { id, waiting, signal }: Sending): Promise<Sent> {
  const { letter, baseUrl, writtenAt } = waiting
  const composed = compose(letter, baseUrl)
  try {
    await openTransport(mail).sendMail({
      ...composed,
      from: mail.from,
      to: { name: '', address: letter.to },
      messageId: `<${id}@${domainOf(mail.from)}>`,
      date: new Date(writtenAt),
      // No holiday notices in return (RFC 3834); and which of our letters it is, for filters.
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Ranklark-Letter': letter.kind },
      signal,
    })
    return { outcome: 'sent' }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { outcome: refusedForGood(error) ? 'refused' : 'later', reason: error.message }
  }
}

function domainOf(from: string): string {
  return /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost'
}
