import { holdingSlot } from './tenant.ts'

export type Places = {
  /** Maximum running at once. */
  places: number
  /** Maximum of those for one tenant. */
  perTenant: number
  /** Maximum number of additional requests that one tenant may have waiting. */
  waitingPerTenant?: number
  /** Places that everybody else leaves to this tenant; its own work is never held back for its place-time. */
  reserved?: { tenant: string; places: number }
  /** Everybody waits for these few places: work that holds one doesn't wait behind its tenant's other requests elsewhere. */
  isScarce?: boolean
  /** Turns by place-time: without this, each request counts the same, however long it takes. */
  byTime?: ByTime
}

/**
 * Whoever used the least place-time lately goes first. What was used a `lately` ago counts a third. Once a tenant has used `manyMs`, it
 * gets only `perTenant` places: its requests take a long time, and others' short ones wait until places are given back.
 */
export type ByTime = { latelyMs: number; manyMs: number; perTenant: number; now?: () => number }

/** A tenant already has the maximum number of requests waiting. */
export class TooManyRequests extends Error {
  override name = 'TooManyRequests'
  readonly statusCode = 429
  constructor() {
    super('You have too many requests in progress. Wait for them to finish, then try again.')
  }
}

export type EntryOptions = {
  /** Among a tenant's waiting requests, the lowest rank goes first; 0 by default. */
  rank?: number
  /** Places that it may have beyond the tenant's share. */
  extra?: number
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

export type FairShare = {
  /** Waits for a place; returns a function that gives it back, harmless if called again. @throws the signal's reason, TooManyRequests */
  enter(tenant: string, options?: EntryOptions): Promise<() => void>
  /** Holds a place while `work` runs. */
  run<T>(tenant: string, work: () => Promise<T>, options?: EntryOptions): Promise<T>
}

/** Work that holds a place others wait for goes before its tenant's other work, and may have one place more. */
export const ahead = { rank: -2, extra: 1 }

type Waiting = { rank: number; extra: number; start(): void }

/**
 * Shares places so that one tenant's many requests can't hold up another's single one: tenants take turns, and none gets more than its
 * share of the places (docs/decisions/0032). Work that holds a place must not wait for a second one behind its tenant's other requests
 * (`isScarce`), unless only its own network waits for the first (common/network-turns.ts).
 */
export function createFairShare({ places, perTenant, waitingPerTenant = Infinity, reserved, isScarce = false, byTime }: Places): FairShare {
  /** Waiting tenants, in the order of their turns. */
  const lines = new Map<string, Waiting[]>()
  const working = new Map<string, number>()
  const used = byTime && createPlaceTime(byTime)
  let free = places

  const workingFor = (tenant: string): number => working.get(tenant) ?? 0

  function mayStart(tenant: string, extra = 0): boolean {
    if (tenant === reserved?.tenant) return free > 0 && workingFor(tenant) < perTenant
    const left = Math.max(0, (reserved?.places ?? 0) - (reserved ? workingFor(reserved.tenant) : 0))
    const part = byTime && used && used.of(tenant) >= byTime.manyMs ? byTime.perTenant : perTenant
    return free > left && workingFor(tenant) < part + extra
  }

  function hold(tenant: string, change: 1 | -1): void {
    const now = workingFor(tenant) + change
    free -= change
    if (now > 0) working.set(tenant, now)
    else working.delete(tenant)
    used?.changed(tenant, now)
  }

  function start(tenant: string): () => void {
    hold(tenant, 1)
    let left = false
    return () => {
      if (left) return
      left = true
      hold(tenant, -1)
      pump()
    }
  }

  /** Whose turn it is. */
  function next(): string | undefined {
    const able = [...lines].flatMap(([tenant, line]) => (mayStart(tenant, line[firstOf(line)]?.extra) ? [tenant] : []))
    if (!used) return able[0]
    const times = new Map(able.map((tenant) => [tenant, used.of(tenant)]))
    const least = Math.min(...times.values())
    return able.find((tenant) => times.get(tenant) === least)
  }

  function pump(): void {
    for (let tenant = next(); tenant !== undefined; tenant = next()) {
      const line = lines.get(tenant) ?? []
      const [chosen] = line.splice(firstOf(line), 1)
      // The tenant's next request comes after everybody else's.
      lines.delete(tenant)
      if (line.length > 0) lines.set(tenant, line)
      chosen?.start()
    }
  }

  function wait(tenant: string, { rank = 0, extra = 0, signal }: EntryOptions): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(tenant) ?? []
      if (line.length >= waitingPerTenant) throw new TooManyRequests()
      if (line.length === 0) lines.set(tenant, line)
      const giveUp = (): void => {
        line.splice(line.indexOf(waiting), 1)
        if (line.length === 0 && lines.get(tenant) === line) lines.delete(tenant)
        reject(signal?.reason as Error)
      }
      const waiting: Waiting = {
        rank,
        extra,
        start() {
          signal?.removeEventListener('abort', giveUp)
          resolve(start(tenant))
        },
      }
      line.push(waiting)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  async function enter(tenant: string, options: EntryOptions = {}): Promise<() => void> {
    options.signal?.throwIfAborted()
    return mayStart(tenant, options.extra) ? start(tenant) : wait(tenant, options)
  }

  return {
    enter,
    async run(tenant, work, options) {
      const leave = await enter(tenant, options)
      try {
        return await (isScarce ? holdingSlot(work) : work())
      } finally {
        leave()
      }
    },
  }
}

/** The waiting request whose turn it is among a tenant's. */
const firstOf = (line: readonly Waiting[]): number =>
  line.reduce((best, { rank }, at) => (rank < (line[best]?.rank ?? Infinity) ? at : best), 0)

/** So little no longer counts. */
const negligibleMs = 1
/** How many tenants are remembered before those that have used nothing lately are forgotten. */
const rememberedTenants = 1_000

/** How many milliseconds of places each tenant has used lately, including those it holds. */
function createPlaceTime({ latelyMs, now = () => performance.now() }: ByTime) {
  const tenants = new Map<string, { ms: number; places: number; at: number }>()

  const at = ({ ms, places, at: since }: { ms: number; places: number; at: number }): number => {
    const kept = Math.exp(Math.min(0, since - now()) / latelyMs)
    return ms * kept + places * latelyMs * (1 - kept)
  }

  const of = (tenant: string): number => {
    const known = tenants.get(tenant)
    return known ? at(known) : 0
  }

  return {
    of,
    /** From now on it holds that many. */
    changed(tenant: string, places: number): void {
      tenants.set(tenant, { ms: of(tenant), places, at: now() })
      if (tenants.size <= rememberedTenants) return
      for (const [each, known] of tenants) if (known.places === 0 && at(known) < negligibleMs) tenants.delete(each)
    },
  }
}
