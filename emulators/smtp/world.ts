import { FaultPlan, type FaultName } from './faults.ts'
import { Mailbox } from './mailbox.ts'

/** Attempts that are remembered. */
const REMEMBERED = 1000

/** What became of one connection's mail. */
export interface Attempt {
  readonly at: string
  readonly from: string
  readonly to: readonly string[]
  /** Where the message came through far enough to be read. */
  readonly messageId: string | null
  readonly outcome: 'accepted' | FaultName
}

/** All that the stand-in knows. */
export class World {
  readonly mailbox: Mailbox
  readonly faults = new FaultPlan()
  /** `user:password` of whoever logged in. */
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
