import { z } from 'zod'
import { until } from './until.ts'

const message = z.object({
  id: z.number(),
  to: z.array(z.string()),
  subject: z.string(),
  messageId: z.string().nullable(),
  headers: z.array(z.object({ key: z.string(), value: z.string() })),
  text: z.string().nullable(),
  html: z.string().nullable(),
  attachments: z.array(z.object({ filename: z.string().nullable(), mimeType: z.string(), size: z.number() })),
})
const attempts = z.object({
  attempts: z.array(z.object({ to: z.array(z.string()), messageId: z.string().nullable(), outcome: z.string() })),
  logins: z.array(z.string()),
})

export type Mail = {
  id: number
  subject: string
  text: string
  html: string
  /** URLs in the text part, in order. */
  links: string[]
  messageId: string | null
  /** Which of our emails it is. */
  kind: string | undefined
  /** Including the pictures that it shows. */
  attachments: { filename: string | null; mimeType: string; size: number }[]
  header(name: string): string | undefined
}

type Wanted = { kind?: string; subject?: string | RegExp }

/** The mail stand-in's JSON and control API (emulators/smtp/README.md), over the network. */
export function createMailControl(url: string) {
  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  /** All emails for an address (for anyone, without one), newest first. */
  async function mails(to?: string): Promise<Mail[]> {
    const answer = await call('GET', `/messages${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`)
    return z
      .object({ messages: z.array(message) })
      .parse(answer)
      .messages.map(toMail)
  }

  return {
    url,
    mails,
    /** Waits for the newest email to an address, of this kind or subject if given. */
    async mailTo(to: string, wanted: Wanted = {}): Promise<Mail> {
      const find = async () => (await mails(to)).find((mail) => matches(mail, wanted))
      const found = await until(find, (mail) => mail !== undefined)
      if (!found) throw new Error(`no mail to ${to}`)
      return found
    },
    /** An attachment's content; counted from 0. */
    async attachment({ id }: Mail, index: number): Promise<Uint8Array> {
      const response = await fetch(`${url}/messages/${id}/attachments/${index + 1}`)
      if (!response.ok) throw new Error(`attachment ${index}: ${await response.text()}`)
      return new Uint8Array(await response.arrayBuffer())
    },
    /** Every attempt to submit an email, including refused ones, oldest first. */
    attempts: async () => attempts.parse(await call('GET', '/_control/attempts')).attempts,
    /** `user:password` of each login to the mail server. */
    logins: async () => attempts.parse(await call('GET', '/_control/attempts')).logins,
    fail: (request: { error: string; times?: number; seconds?: number; after?: number; to?: string }) =>
      call('POST', '/_control/fail', request),
    stopFailing: () => call('DELETE', '/_control/fail'),
    /** Whether the mail server is reachable at all. */
    setListening: (listening: boolean) => call('PUT', '/_control/listening', { listening }),
    /** Discards all emails. */
    clear: () => call('DELETE', '/_control/messages'),
    reset: () => call('POST', '/_control/reset'),
  }
}
export type MailControl = ReturnType<typeof createMailControl>

function matches(mail: Mail, { kind, subject }: Wanted): boolean {
  if (kind !== undefined && mail.kind !== kind) return false
  if (subject === undefined) return true
  return typeof subject === 'string' ? mail.subject === subject : subject.test(mail.subject)
}

function toMail({ id, subject, text, html, messageId, headers, attachments }: z.infer<typeof message>): Mail {
  const header = (name: string) => headers.find((each) => each.key === name.toLowerCase())?.value
  const links = text?.match(/https?:\/\/[^\s<>()"]+/g) ?? []
  return { id, subject, text: text ?? '', html: html ?? '', links, messageId, kind: header('x-ranklark-letter'), attachments, header }
}
