import { z } from 'zod'
import { type Answer, answerShape } from './answer.ts'

const count = z.number().int().nonnegative()

/** The part of the input of `POST fail` that says how long the fault lasts. */
export const lastingShape = {
  times: count.default(1),
  seconds: z.number().positive().optional(),
  after: count.default(0),
}

/** The input of `POST fail`, besides a stand-in's names for its own errors. */
export const faultShape = {
  ...answerShape,
  ...lastingShape,
  match: z.string().optional(),
  executed: z.boolean().default(false),
}

/** How long a fault lasts. */
export interface Lasting {
  /** How many more calls fail. */
  times: number
  /** Instead of a count: until this time (milliseconds since 1970). */
  readonly until: number | null
  /** Lets this many matching calls through first. */
  after: number
}

/** `until` of a fault that is to last that many seconds. */
export const untilAfter = (seconds: number | undefined): number | null => (seconds === undefined ? null : Date.now() + seconds * 1000)

/** Calls that are to fail, and how. */
export interface Fault extends Answer, Lasting {
  /** Part of what the call is about. */
  readonly match?: string | undefined
  /** The call is still carried out; only its response differs. */
  readonly executed: boolean
}

/** Whether a fault is for calls about this. */
export const about =
  (subject: string) =>
  ({ match }: Fault): boolean =>
    match === undefined || subject.includes(match)

/** The faults that tests have requested. */
export class FaultPlan<F extends Lasting = Fault> {
  #faults: F[] = []
  /** Delay of every call in milliseconds. */
  delay = 0

  add(fault: F): void {
    this.#faults.push(fault)
  }

  list(): readonly F[] {
    return this.#faults
  }

  clear(): void {
    this.#faults = []
    this.delay = 0
  }

  /** The first fault that matches the call, counting it as used. */
  take(matches: (fault: F) => boolean, now = Date.now()): F | undefined {
    this.#faults = this.#faults.filter((each) => (each.until === null ? each.times > 0 : each.until > now))
    for (const each of this.#faults) {
      if (!matches(each)) continue
      if (each.after > 0) {
        each.after -= 1
        continue
      }
      each.times -= 1
      return each
    }
    return undefined
  }
}
