/** Where in the conversation something can go wrong, what, and the reply for it. */
export const FAULTS = {
  /** Instead of a greeting. */
  busy421: { at: 'connect', code: 421, text: '4.3.2 Service not available, try again later' },
  /** Login is refused. */
  sender550: { at: 'sender', code: 550, text: '5.7.1 Sender rejected' },
  recipient550: { at: 'recipient', code: 550, text: '5.1.1 No such user here' },
  recipient451: { at: 'recipient', code: 451, text: '4.7.1 Greylisted, try again later' },
  message554: { at: 'message', code: 554, text: '5.7.1 Message refused' },
  message451: { at: 'message', code: 451, text: '4.3.0 Could not store the message, try again later' },
  /** The connection breaks while the message is being sent. */
  reset: { at: 'data', code: 0, text: '' },
} as const

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]]
type Place = (typeof FAULTS)[FaultName]['at']

export interface Fault {
  readonly error: FaultName
  /** How many more fail. */
  times: number
  /** Instead of a count: until this time (milliseconds since 1970). */
  readonly until: number | null
  /** Lets this many through first. */
  after: number
  /** Only mail to this address; has no effect before there is a recipient. */
  readonly to?: string | undefined
}

/** The faults that tests have requested. */
export class FaultPlan {
  #faults: Fault[] = []
  /** Milliseconds before a connection gets its greeting. */
  delay = 0

  add(fault: Fault): void {
    this.#faults.push(fault)
  }

  list(): readonly Fault[] {
    return this.#faults
  }

  clear(): void {
    this.#faults = []
    this.delay = 0
  }

  /** The first fault for this place and one of these recipients, counting it as used. */
  take(place: Place, recipients: readonly string[] = [], now = Date.now()): FaultName | undefined {
    this.#faults = this.#faults.filter((fault) => (fault.until === null ? fault.times > 0 : fault.until > now))
    for (const fault of this.#faults) {
      if (FAULTS[fault.error].at !== place) continue
      if (fault.to !== undefined && !recipients.some((each) => each.toLowerCase() === fault.to?.toLowerCase())) continue
      if (fault.after > 0) {
        fault.after -= 1
        continue
      }
      fault.times -= 1
      return fault.error
    }
    return undefined
  }
}
