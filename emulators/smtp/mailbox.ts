import { z } from 'zod'
import { openStateFile } from '../lib/state-file.ts'
import type { Envelope, Message, Parsed } from './message.ts'

/** Older ones are forgotten. */
const KEPT = 500
/** Milliseconds: mails that arrive close together are written once. */
const WRITE_AFTER = 100

const stored = z.object({
  next: z.number().int().positive(),
  messages: z.array(
    z.object({
      id: z.number().int(),
      receivedAt: z.string(),
      from: z.string(),
      to: z.array(z.string()),
      subject: z.string(),
      messageId: z.string().nullable(),
      headers: z.array(z.object({ key: z.string(), value: z.string() })),
      text: z.string().nullable(),
      html: z.string().nullable(),
      attachments: z.array(z.object({ filename: z.string().nullable(), mimeType: z.string(), size: z.number() })),
    }),
  ),
})

/** What arrived, kept over restarts. */
export class Mailbox {
  readonly #file
  #next = 1
  /** Oldest first. */
  #messages: Message[] = []
  #waiting: NodeJS.Timeout | undefined

  constructor(stateDir: string | null) {
    this.#file = openStateFile(stateDir, 'smtp.json')
    const before = stored.safeParse(this.#file.load())
    if (!before.success) return
    this.#next = before.data.next
    this.#messages = before.data.messages
  }

  add(envelope: Envelope, mail: Parsed): void {
    this.#messages.push({ id: this.#next++, receivedAt: new Date().toISOString(), ...envelope, ...mail })
    this.#messages = this.#messages.slice(-KEPT)
    this.#changed()
  }

  /** Newest first; only those to an address where one is given. */
  list(to: string | null = null): readonly Message[] {
    const wanted = to?.toLowerCase()
    return this.#messages.filter((each) => wanted === undefined || each.to.some((one) => one.toLowerCase() === wanted)).toReversed()
  }

  get(id: number): Message | undefined {
    return this.#messages.find((each) => each.id === id)
  }

  clear(): void {
    this.#messages = []
    this.#changed()
  }

  /** Writes what is not yet written. */
  flush(): void {
    if (this.#waiting === undefined) return
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#file.save({ next: this.#next, messages: this.#messages })
  }

  #changed(): void {
    this.#waiting ??= setTimeout(() => this.flush(), WRITE_AFTER)
  }
}
