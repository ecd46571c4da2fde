import { CallLog } from '../lib/call-log.ts'
import { FaultPlan } from '../lib/faults.ts'
import { RateLimit } from '../lib/rate-limit.ts'
import { Callbacks } from './callbacks.ts'
import { Delivery } from './delivery.ts'
import type { ErrorCode } from './errors.ts'
import { DEFAULT_ACCOUNT_SID, DEFAULT_AUTH_TOKEN, DEFAULT_MESSAGING_SERVICE_SID, DEFAULT_NUMBER, type SmsOptions } from './options.ts'
import { Store } from './store.ts'

/** The stand-in's entire state. */
export class World {
  readonly accountSid: string
  readonly authToken: string
  readonly numbers: readonly string[]
  readonly messagingServiceSid: string
  /** What a messaging service sends from. */
  readonly sender: string
  readonly store: Store
  readonly callbacks: Callbacks
  readonly delivery: Delivery
  readonly faults = new FaultPlan()
  readonly log = new CallLog()
  readonly limit = new RateLimit(null)
  /** Numbers that are refused immediately, and why. */
  readonly refused = new Map<string, ErrorCode>()
  /** null: not a trial account; otherwise the numbers it may send to. */
  verified: readonly string[] | null = null
  /** Where people's replies are forwarded. */
  inboundUrl: string | null = null

  constructor(options: SmsOptions) {
    this.accountSid = options.accountSid ?? DEFAULT_ACCOUNT_SID
    this.authToken = options.authToken ?? DEFAULT_AUTH_TOKEN
    this.numbers = options.numbers ?? [DEFAULT_NUMBER]
    this.messagingServiceSid = options.messagingServiceSid ?? DEFAULT_MESSAGING_SERVICE_SID
    this.sender = this.numbers[0] ?? DEFAULT_NUMBER
    this.store = new Store(options.stateDir ?? null)
    this.callbacks = new Callbacks(this.authToken)
    this.delivery = new Delivery(this.store, this.callbacks, this.sender)
  }

  reset(): void {
    this.delivery.reset()
    this.store.clear()
    this.callbacks.clear()
    this.faults.clear()
    this.log.clear()
    this.limit.limit = null
    this.limit.forget()
    this.refused.clear()
    this.verified = null
    this.inboundUrl = null
  }
}
