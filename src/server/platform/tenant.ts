import { AsyncLocalStorage } from 'node:async_hooks'

/** For whom something is being done: a person, who is known only some way into a request, or the network that a visitor comes from. */
export type Tenancy = {
  tenant: string
  /** Aborted when nobody waits for it any more. */
  abandoned?: AbortSignal | undefined
}

const current = new AsyncLocalStorage<Tenancy>()

/** What the house does by itself. */
const house = ''

export const newTenancy = (abandoned?: AbortSignal, tenant = house): Tenancy => ({ tenant, abandoned })

/** Does `work`, and everything it begins, for whoever `tenancy` names by then. */
export const within = <T>(tenancy: Tenancy, work: () => T): T => current.run(tenancy, work)

/** Does `work`, and everything it begins, for a person. */
export const forTenant = <T>(tenant: string, work: () => T): T => within({ tenant }, work)

/** From here on, what is done within the present request is done for this person. */
export function nameTenant(tenant: string): void {
  const tenancy = current.getStore()
  if (tenancy) tenancy.tenant = tenant
}

/** For whom something is being done here. */
export const tenantNow = (): string => current.getStore()?.tenant ?? house

/** What is aborted when nobody waits any more for what is being done here; absent where that is never so. */
export const abandonedNow = (): AbortSignal | undefined => current.getStore()?.abandoned

/** Whoever asked went away before there was an answer. Nobody gets its status, which logs show. */
export class Abandoned extends Error {
  override name = 'Abandoned'
  readonly statusCode = 499
  constructor() {
    super('Whoever asked has gone away.')
  }
}

/** What is read of `pieces` later, from wherever (a socket that has room again), is still read for the tenant of now. */
export function keepTenant<T>(pieces: AsyncIterable<T>): AsyncIterable<T> {
  const tenancy = current.getStore() ?? newTenancy()
  return {
    [Symbol.asyncIterator]() {
      const iterator = pieces[Symbol.asyncIterator]()
      return {
        next: () => within(tenancy, () => iterator.next()),
        return: async () => (await within(tenancy, () => iterator.return?.())) ?? { done: true, value: undefined },
      }
    },
  }
}
