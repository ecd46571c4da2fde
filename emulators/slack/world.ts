import { CallLog } from '../lib/call-log.ts'
import { FaultPlan } from '../lib/faults.ts'
import { RateLimit } from '../lib/rate-limit.ts'
import { Store } from './store.ts'

/** One message per second and webhook, more only for a short while. */
const LIMIT = { perSecond: 1, burst: 10 }

/** The stand-in's entire state. */
export class World {
  readonly store: Store
  readonly faults = new FaultPlan()
  readonly log = new CallLog()
  readonly limit = new RateLimit(LIMIT)
  /** Whether webhooks exist without having been created. */
  open = true

  constructor(stateDir: string | null) {
    this.store = new Store(stateDir)
  }

  reset(): void {
    this.store.clear()
    this.faults.clear()
    this.log.clear()
    this.limit.limit = LIMIT
    this.limit.forget()
    this.open = true
  }
}
