import { AsyncLocalStorage } from 'node:async_hooks'
import { limitOf, measured, type TimeLimits } from './active-time.ts'

/** The tenant that work is done for: a person, known only some way into a request, or a visitor's network. */
export type Tenancy = {
  tenant: string
  /** Who asked, and gets the result: the same, except for a visitor who sees a person's data. */
  requester: string
  /** Where it came from, whoever turns out to have sent it: in a request, its network. */
  readonly origin: string
  /** Aborted once nobody waits for the result. */
  abandoned?: AbortSignal | undefined
  /** Aborted once its sender has left, even for a change: until it has begun, it need not be carried out. */
  left?: AbortSignal | undefined
  /** It holds a place that others wait for: see `holdingSlot`. */
  holdsSlot?: boolean
  /** Makes a request wait while the person who turns out to have sent it has many in progress (http/in-progress.ts). */
  admit?: (person: string) => Promise<void>
}

const current = new AsyncLocalStorage<Tenancy>()

/** The server's own work. */
export const serverTenant = ''
/** The nightly sweep's: its long queries take turns with everybody's, and leave the places that are kept for the server's other work. */
export const nightTenant = 'night'

export const newTenancy = (abandoned?: AbortSignal, tenant = serverTenant): Tenancy => ({
  tenant,
  requester: tenant,
  origin: tenant,
  abandoned,
})

/** Runs `work`, and everything it starts, for whoever `tenancy` names at the time. */
export const runAs = <T>(tenancy: Tenancy, work: () => T): T => current.run(tenancy, work)

/** A tenancy for part of the current work: whatever else changes, a place that others wait for is still held (see `holdingSlot`). */
export const partOfThis = (abandoned?: AbortSignal, tenant = tenantNow()): Tenancy => ({
  ...newTenancy(abandoned, tenant),
  holdsSlot: holdsSlotNow(),
})

/** Runs `work`, and everything it starts, for a person. */
export const forTenant = <T>(tenant: string, work: () => T): T => runAs(partOfThis(undefined, tenant), work)

/** Same for work shared by everybody who asked for it: it begins in somebody's request, but doesn't use that person's turn. */
export const forServer = <T>(work: () => T): T => runAs(newTenancy(), work)

/**
 * The same as `forTenant`, abandoned after a time limit, or with the current work: its active time (see active-time.ts) and its wait in
 * line count separately. Others wait for what has limits (see `holdingSlot`): a tenant who makes their own lines long doesn't use these up.
 * @throws a TimeoutError, WaitedTooLong, the reason for which the current work is abandoned
 */
export function forTenantInTime<T>(tenant: string, limits: TimeLimits, work: () => Promise<T>): Promise<T> {
  return measured(async (time) => {
    const { signal: late, over } = limitOf(time, limits)
    const outer = abandonedNow()
    const signal = outer ? AbortSignal.any([late, outer]) : late
    try {
      signal.throwIfAborted()
      return await Promise.race([runAs({ ...partOfThis(signal, tenant), holdsSlot: true }, work), aborted(signal)])
    } finally {
      over()
      limits.took?.(time.activeMs())
    }
  })
}

/** Rejects with the reason of a signal. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/**
 * From here on, the current request's work is done for this person, who made it. Waits while they have many in progress.
 * @throws TooManyRequests, Abandoned
 */
export async function nameTenant(tenant: string): Promise<void> {
  const tenancy = current.getStore()
  if (!tenancy) return
  tenancy.tenant = tenancy.requester = tenant
  await tenancy.admit?.(tenant)
}

/** Same, but for a visitor: the work counts for this person, what the visitor receives for the visitor. */
export function nameOwner(tenant: string): void {
  const tenancy = current.getStore()
  if (tenancy) tenancy.tenant = tenant
}

/** Whom the current request is done for; absent outside of requests. */
export const tenancyNow = (): Tenancy | undefined => current.getStore()

/** The tenant of the current work. */
export const tenantNow = (): string => current.getStore()?.tenant ?? serverTenant

/** Who asked for the current work. */
/** Whether it is the server's, with limits of its own. */
export const isServersNow = (): boolean => [serverTenant, nightTenant].includes(tenantNow())

export const requesterNow = (): string => current.getStore()?.requester ?? serverTenant

/** Where the current work came from. */
export const originNow = (): string => current.getStore()?.origin ?? serverTenant

/** Aborted once nobody waits for the current work; absent if that can't happen. */
export const abandonedNow = (): AbortSignal | undefined => current.getStore()?.abandoned

/** Aborted once the sender of the current request has left: ends waits for work that then isn't begun. */
export const leftNow = (): AbortSignal | undefined => current.getStore()?.left

/** Runs work that turns out to change nothing: it is abandoned once the sender of the current request has left. */
export function reading<T>(work: () => T): T {
  const tenancy = current.getStore()
  return tenancy ? runAs({ ...tenancy, abandoned: tenancy.left }, work) : work()
}

/**
 * Runs work that has had its turn and holds a place others wait for: it no longer waits in its tenant's own queues, such as the one for
 * database connections, which the tenant can make as long as they like.
 */
export function withoutTurns<T>(work: () => T): T {
  const tenancy = current.getStore()
  return tenancy ? runAs({ ...tenancy, tenant: serverTenant }, work) : work()
}

/**
 * Runs work that holds a place others wait for: in its tenant's own lines, which the tenant can make as long as they like, it goes first,
 * and it may have one place more than the tenant's share.
 */
export function holdingSlot<T>(work: () => T): T {
  const tenancy = current.getStore()
  return tenancy ? runAs({ ...tenancy, holdsSlot: true }, work) : work()
}

/** Whether the current work holds a place that others wait for. */
export const holdsSlotNow = (): boolean => current.getStore()?.holdsSlot === true

/** The requester left before there was an answer. Nobody receives this status, but logs show it. */
export class Abandoned extends Error {
  override name = 'Abandoned'
  readonly statusCode = 499
  constructor() {
    super('The client disconnected.')
  }
}

/** Reads `pieces` for the current tenant later too, wherever reading resumes (such as a socket with room again). */
export function keepTenant<T>(pieces: AsyncIterable<T>): AsyncIterable<T> {
  const tenancy = current.getStore() ?? newTenancy()
  return {
    [Symbol.asyncIterator]() {
      const iterator = pieces[Symbol.asyncIterator]()
      return {
        next: () => runAs(tenancy, () => iterator.next()),
        return: async () => (await runAs(tenancy, () => iterator.return?.())) ?? { done: true, value: undefined },
      }
    },
  }
}
