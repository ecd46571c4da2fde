import type { Callbacks } from './callbacks.ts'
import { DELIVERY_ERRORS, type DeliveryErrorCode } from './errors.ts'
import type { Message } from './message.ts'
import { API_VERSION } from './options.ts'
import type { Store } from './store.ts'

const DEFAULT_STEP = 300

/** Takes messages from `queued` through `sent` to their final status. */
export class Delivery {
  readonly #store: Store
  readonly #callbacks: Callbacks
  readonly #sender: string
  #timers = new Map<string, NodeJS.Timeout>()
  /** Milliseconds from one status to the next; null: they wait until released. */
  stepMs: number | null = DEFAULT_STEP
  /** Numbers to which delivery fails, and why. */
  readonly failing = new Map<string, DeliveryErrorCode>()

  /** @param sender the number that a messaging service sends from */
  constructor(store: Store, callbacks: Callbacks, sender: string) {
    this.#store = store
    this.#callbacks = callbacks
    this.#sender = sender
    for (const each of store.list()) this.start(each)
  }

  start(message: Message): void {
    if (this.stepMs === null || this.#next(message) === undefined) return
    const timer = setTimeout(() => {
      this.#timers.delete(message.sid)
      if (this.#step(message)) this.start(message)
    }, this.stepMs)
    this.#timers.set(message.sid, timer)
  }

  /** Completes delivery of all messages now. */
  release(): void {
    this.stop()
    for (const message of this.#store.list().toReversed()) {
      while (this.#next(message) !== undefined) this.#step(message)
    }
  }

  /** Continues as if the messages had just come in. */
  restart(): void {
    this.stop()
    for (const message of this.#store.list()) this.start(message)
  }

  reset(): void {
    this.stop()
    this.stepMs = DEFAULT_STEP
    this.failing.clear()
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #next({ status, to }: Message): Partial<Message> | undefined {
    if (status === 'accepted') return { status: 'queued', from: this.#sender }
    if (status === 'queued') return { status: 'sent', sent: Date.now() }
    if (status !== 'sent') return undefined
    const errorCode = this.failing.get(to)
    if (errorCode === undefined) return { status: 'delivered' }
    const [end, errorMessage] = DELIVERY_ERRORS[errorCode]
    return { status: end, errorCode, errorMessage }
  }

  /** @returns whether the message still exists */
  #step(message: Message): boolean {
    const next = this.#next(message)
    const changed = next && this.#store.change(message.sid, next)
    if (changed?.statusCallback) this.#callbacks.post(changed.statusCallback, statusParams(changed))
    return changed !== undefined
  }
}

function statusParams({ sid, accountSid, status, from, to, errorCode, messagingServiceSid }: Message): Record<string, string> {
  return {
    SmsSid: sid,
    SmsStatus: status,
    MessageStatus: status,
    To: to,
    MessageSid: sid,
    AccountSid: accountSid,
    From: from ?? '',
    ApiVersion: API_VERSION,
    ...(errorCode !== null && { ErrorCode: String(errorCode) }),
    ...(messagingServiceSid !== null && { MessagingServiceSid: messagingServiceSid }),
  }
}
