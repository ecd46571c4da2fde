import { CallLog } from '../lib/call-log.ts'
import { FaultPlan } from '../lib/faults.ts'
import { RateLimit } from '../lib/rate-limit.ts'
import { Store } from './store.ts'

/** One message a second for each webhook, more than that only for a short while. */
const LIMIT = { perSecond: 1, burst: 10 }

/** All that the stand-in knows. */
export class World {
  readonly store: Store
  readonly faults = new FaultPlan()
  readonly log = new CallLog()
  readonly limit = new RateLimit(LIMIT)
  /** Whether webhooks exist that nobody made. */
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
