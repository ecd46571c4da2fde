import { z } from 'zod'
import { DelayedSave } from '../lib/delayed-save.ts'
import { openStateFile } from '../lib/state-file.ts'
import type { Content, Envelope, Message, Parsed } from './message.ts'

/** Older ones are discarded. */
const KEPT = 500
/** How many emails keep their attachments; older ones, and those from before a restart, only list them. */
const WITH_CONTENTS = 50

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

/** The emails received, kept across restarts. */
export class Mailbox {
  readonly #file
  readonly #saving = new DelayedSave(() => this.#file.save({ next: this.#next, messages: this.#messages }))
  #next = 1
  /** Oldest first. */
  #messages: Message[] = []
  /** By the email's id, oldest first. */
  readonly #contents = new Map<number, readonly Content[]>()

  constructor(stateDir: string | null) {
    this.#file = openStateFile(stateDir, 'smtp.json')
    const before = stored.safeParse(this.#file.load())
    if (!before.success) return
    this.#next = before.data.next
    this.#messages = before.data.messages
  }

  add(envelope: Envelope, { contents, ...mail }: Parsed): void {
    const id = this.#next++
    this.#messages.push({ id, receivedAt: new Date().toISOString(), ...envelope, ...mail })
    if (contents.length > 0) this.#contents.set(id, contents)
    for (const old of [...this.#contents.keys()].slice(0, -WITH_CONTENTS)) this.#contents.delete(old)
    this.#messages = this.#messages.slice(-KEPT)
    this.#saving.changed()
  }

  /** Newest first; only those to an address if one is given. */
  list(to: string | null = null): readonly Message[] {
    const wanted = to?.toLowerCase()
    return this.#messages.filter((each) => wanted === undefined || each.to.some((one) => one.toLowerCase() === wanted)).toReversed()
  }

  get(id: number): Message | undefined {
    return this.#messages.find((each) => each.id === id)
  }

  /** The content of an email's attachments, if still available. */
  contents(id: number): readonly Content[] {
    return this.#contents.get(id) ?? []
  }

  clear(): void {
    this.#messages = []
    this.#contents.clear()
    this.#saving.changed()
  }

  /** Writes unsaved changes. */
  flush(): void {
    this.#saving.flush()
  }
}
