import { z } from 'zod'
import type { ChannelName } from '../src/contract/delivery/channels.ts'
import type { StandIns } from './stand-ins.ts'

/** A message that reached the receiver. */
export type Receipt = {
  channel: ChannelName
  /** What a message shares with its repetitions but with no other message: its key, or its destination and content. */
  fingerprint: string
  at: number
}

/** Everything received, though the stand-ins themselves discard old messages. */
export type Mailroom = {
  /** Reads what is new; returns everything. */
  collect(): Promise<readonly Receipt[]>
}

const mails = z.object({ messages: z.array(z.object({ id: z.number(), receivedAt: z.string(), messageId: z.string().nullable() })) })
const slackMessages = z.object({
  messages: z.array(
    z.object({ id: z.number(), receivedAt: z.string(), hook: z.string(), text: z.string().nullable(), blocks: z.unknown() }),
  ),
})
const texts = z.object({ messages: z.array(z.object({ sid: z.string(), to: z.string(), body: z.string(), date_created: z.string() })) })
const hooks = z.object({
  messages: z.array(
    z.object({ id: z.number(), receivedAt: z.string(), headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])) }),
  ),
})

export const slackFingerprint = (text: string | null, blocks: unknown): string => JSON.stringify([text, blocks ?? null])
export const textFingerprint = (body: string): string => body
/** `<key@sender>` */
const keyOf = (messageId: string | null): string => /^<([^@]+)@/.exec(messageId ?? '')?.[1] ?? ''

export function createMailroom({ mail, slack, sms, webhook }: StandIns): Mailroom {
  const known = new Map<string, Receipt>()
  const keep = (id: string, receipt: Receipt): void => void (known.has(id) || known.set(id, receipt))

  return {
    async collect() {
      const [emails, posts, phones, calls] = await Promise.all([
        fetch(`${mail.url}/messages`).then(async (answer) => mails.parse(await answer.json())),
        slack.call('GET', 'messages').then((answer) => slackMessages.parse(answer)),
        sms.call('GET', 'messages').then((answer) => texts.parse(answer)),
        webhook.call('GET', 'messages').then((answer) => hooks.parse(answer)),
      ])
      for (const { id, receivedAt, messageId } of emails.messages)
        keep(`email ${id}`, { channel: 'email', fingerprint: keyOf(messageId), at: Date.parse(receivedAt) })
      for (const { id, receivedAt, text, blocks } of posts.messages)
        keep(`slack ${id}`, { channel: 'slack', fingerprint: slackFingerprint(text, blocks), at: Date.parse(receivedAt) })
      for (const { sid, body, date_created: at } of phones.messages)
        keep(`sms ${sid}`, { channel: 'sms', fingerprint: textFingerprint(body), at: Date.parse(at) })
      for (const { id, receivedAt, headers } of calls.messages)
        keep(`webhook ${id}`, { channel: 'webhook', fingerprint: String(headers['webhook-id']), at: Date.parse(receivedAt) })
      return [...known.values()]
    },
  }
}
