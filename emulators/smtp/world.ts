import { FaultPlan } from '../lib/faults.ts'
import type { Fault, FaultName } from './faults.ts'
import { Mailbox } from './mailbox.ts'

/** How many attempts are kept. */
const REMEMBERED = 1000

/** The outcome of one connection's mail. */
export interface Attempt {
  readonly at: string
  readonly from: string
  readonly to: readonly string[]
  /** If enough of the message arrived to be read. */
  readonly messageId: string | null
  readonly outcome: 'accepted' | FaultName
}

/** The stand-in's entire state. */
export class World {
  readonly mailbox: Mailbox
  /** Their delay is that of a connection's greeting. */
  readonly faults = new FaultPlan<Fault>()
  /** `user:password` of the login. */
  readonly logins: string[] = []
  #attempts: Attempt[] = []

  constructor(stateDir: string | null) {
    this.mailbox = new Mailbox(stateDir)
  }

  note(attempt: Omit<Attempt, 'at'>): void {
    this.#attempts.push({ at: new Date().toISOString(), ...attempt })
    this.#attempts = this.#attempts.slice(-REMEMBERED)
  }

  /** Oldest first. */
  attempts(): readonly Attempt[] {
    return this.#attempts
  }

  forgetAttempts(): void {
    this.#attempts = []
    this.logins.length = 0
  }
}
