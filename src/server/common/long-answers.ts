import type { Endpoint } from '../../contract/endpoint.ts'
import { createFairShare } from '../platform/fair-share.ts'
import { abandonedNow, requesterNow } from '../platform/tenant.ts'

/** What is read for an answer, the answer itself and its text are in memory together, before anybody knows how long it is. */
const beingBuilt = createFairShare({ places: 32, perTenant: 2, waitingPerTenant: 60 })

/**
 * Builds an answer that may be long: at most two at a time for one user or, for visitors, one network, whether requested on screen or
 * through the API. What then waits to be read is limited in bytes (http/slow-readers.ts).
 * @throws TooManyWishes
 */
export const buildInTurn = <T>({ isLong }: Pick<Endpoint, 'isLong'>, build: () => Promise<T>): Promise<T> =>
  isLong ? beingBuilt.run(requesterNow(), build, { signal: abandonedNow() }) : build()
