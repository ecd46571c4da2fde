import { z } from 'zod'
import { DelayedSave } from '../lib/delayed-save.ts'
import { openStateFile } from '../lib/state-file.ts'
import { blocks } from './blocks.ts'
import type { Content } from './payload.ts'
import { type Shown, shownOf } from './shown.ts'

/** Older ones are discarded. */
const KEPT = 500

export const HOOK_STATES = ['active', 'archived', 'revoked', 'channelMissing', 'prohibited'] as const

/** A created webhook, with the channel it posts to. */
export interface Hook {
  /** `T…/B…/…`: the part after /services/. */
  readonly hook: string
  readonly name: string
  readonly channel: string
  readonly state: (typeof HOOK_STATES)[number]
}

export interface Message extends Content {
  readonly id: number
  readonly receivedAt: string
  readonly hook: string
  readonly channel: string
  readonly shown: Shown
}

const stored = z.object({
  next: z.number().int().positive(),
  hooks: z.array(z.object({ hook: z.string(), name: z.string(), channel: z.string(), state: z.enum(HOOK_STATES) })),
  messages: z.array(
    z.object({
      id: z.number().int(),
      receivedAt: z.string(),
      hook: z.string(),
      channel: z.string(),
      text: z.string(),
      blocks,
      attachments: z.array(z.object({ color: z.string().nullable(), text: z.string(), blocks })),
      shown: z.object({
        text: z.string(),
        links: z.array(z.object({ url: z.string(), text: z.string() })),
        mentions: z.array(z.string()),
      }),
    }),
  ),
})

/** The messages received and the webhooks, kept across restarts. */
export class Store {
  readonly #file
  readonly #saving = new DelayedSave(() =>
    this.#file.save({ next: this.#next, hooks: [...this.#hooks.values()], messages: this.#messages }),
  )
  #next = 1
  #hooks = new Map<string, Hook>()
  /** Oldest first. */
  #messages: Message[] = []

  constructor(stateDir: string | null) {
    this.#file = openStateFile(stateDir, 'slack.json')
    const before = stored.safeParse(this.#file.load())
    if (!before.success) return
    this.#next = before.data.next
    this.#hooks = new Map(before.data.hooks.map((each) => [each.hook, each]))
    this.#messages = before.data.messages
  }

  add(hook: Hook, content: Content): void {
    const receivedAt = new Date().toISOString()
    this.#messages.push({ id: this.#next++, receivedAt, hook: hook.hook, channel: hook.channel, ...content, shown: shownOf(content) })
    this.#messages = this.#messages.slice(-KEPT)
    this.#saving.changed()
  }

  /** Newest first; only those of a webhook if one is given. */
  messages(hook: string | null = null): readonly Message[] {
    return this.#messages.filter((each) => hook === null || each.hook === hook).toReversed()
  }

  message(id: number): Message | undefined {
    return this.#messages.find((each) => each.id === id)
  }

  hooks(): readonly Hook[] {
    return [...this.#hooks.values()]
  }

  hook(hook: string): Hook | undefined {
    return this.#hooks.get(hook)
  }

  setHook(hook: Hook): void {
    this.#hooks.set(hook.hook, hook)
    this.#saving.changed()
  }

  clearMessages(): void {
    this.#messages = []
    this.#saving.changed()
  }

  clear(): void {
    this.#hooks.clear()
    this.clearMessages()
  }

  flush(): void {
    this.#saving.flush()
  }
}
