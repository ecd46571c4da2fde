import { z } from 'zod'
import { type Answer, answerShape } from './answer.ts'

const count = z.number().int().nonnegative()

/** The input of `POST fail`, besides a stand-in's names for its own errors. */
export const faultShape = {
  ...answerShape,
  times: count.default(1),
  seconds: z.number().positive().optional(),
  after: count.default(0),
  match: z.string().optional(),
  executed: z.boolean().default(false),
}

const fault = z.object(faultShape)

/** Calls that are to fail, and how. */
export interface Fault extends Answer {
  /** How many more calls fail. */
  times: number
  /** Instead of a count: until this time (milliseconds since 1970). */
  readonly until: number | null
  /** Lets this many matching calls through first. */
  after: number
  /** Part of what the call is about. */
  readonly match?: string | undefined
  /** The call is still carried out; only its response differs. */
  readonly executed: boolean
}

/** The faults that tests have requested. */
export class FaultPlan {
  #faults: Fault[] = []
  /** Delay of every call in milliseconds. */
  delay = 0

  add({ seconds, ...rest }: z.output<typeof fault>): void {
    this.#faults.push({ ...rest, until: seconds === undefined ? null : Date.now() + seconds * 1000 })
  }

  list(): readonly Fault[] {
    return this.#faults
  }

  clear(): void {
    this.#faults = []
    this.delay = 0
  }

  /** The first fault that matches the call, counting it as used. */
  take(subject: string, now = Date.now()): Fault | undefined {
    this.#faults = this.#faults.filter((each) => (each.until === null ? each.times > 0 : each.until > now))
    for (const each of this.#faults) {
      if (each.match !== undefined && !subject.includes(each.match)) continue
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
