import { z } from 'zod'
import { DelayedSave } from '../lib/delayed-save.ts'
import { openStateFile } from '../lib/state-file.ts'
import { message, type Message } from './message.ts'

/** Older ones are discarded. */
const KEPT = 500

const stored = z.object({
  messages: z.array(message),
  optedOut: z.array(z.string()),
})

/** The messages, and who has opted out, kept across restarts. */
export class Store {
  readonly #file
  readonly #saving = new DelayedSave(() => this.#file.save({ messages: this.#messages, optedOut: [...this.#optedOut] }))
  /** Oldest first. */
  #messages: Message[] = []
  /** `our number their number` */
  #optedOut = new Set<string>()

  constructor(stateDir: string | null) {
    this.#file = openStateFile(stateDir, 'sms.json')
    const before = stored.safeParse(this.#file.load())
    if (!before.success) return
    this.#messages = before.data.messages
    this.#optedOut = new Set(before.data.optedOut)
  }

  add(each: Message): void {
    this.#messages.push(each)
    this.#messages = this.#messages.slice(-KEPT)
    this.#saving.changed()
  }

  /** Changes a message; undefined if it was discarded. */
  change(sid: string, changes: Partial<Message>): Message | undefined {
    const found = this.get(sid)
    if (!found) return undefined
    Object.assign(found, changes, { updated: Date.now() })
    this.#saving.changed()
    return found
  }

  get(sid: string): Message | undefined {
    return this.#messages.find((each) => each.sid === sid)
  }

  /** Newest first. */
  list(): readonly Message[] {
    return this.#messages.toReversed()
  }

  setOptedOut(ours: string, theirs: string, out: boolean): void {
    if (out) this.#optedOut.add(`${ours} ${theirs}`)
    else this.#optedOut.delete(`${ours} ${theirs}`)
    this.#saving.changed()
  }

  isOptedOut(ours: string, theirs: string): boolean {
    return this.#optedOut.has(`${ours} ${theirs}`)
  }

  optedOut(): readonly { ours: string; theirs: string }[] {
    return [...this.#optedOut].map((pair) => ({ ours: pair.split(' ')[0] ?? '', theirs: pair.split(' ')[1] ?? '' }))
  }

  clearMessages(): void {
    this.#messages = []
    this.#saving.changed()
  }

  clear(): void {
    this.#optedOut.clear()
    this.clearMessages()
  }

  flush(): void {
    this.#saving.flush()
  }
}
