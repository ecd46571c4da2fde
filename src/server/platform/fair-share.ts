export type Places = {
  /** Most running at once. */
  places: number
  /** Most of them for one tenant. */
  perTenant: number
  /** Most additional wishes that one tenant may have waiting. */
  waitingPerTenant?: number
}

/** A tenant has the maximum number of wishes waiting. */
export class TooManyWishes extends Error {
  override name = 'TooManyWishes'
  readonly statusCode = 429
  constructor() {
    super('You have too many requests in progress. Wait for them to finish, then try again.')
  }
}

export type Wish = {
  /** Among a tenant's waiting wishes, the lowest rank goes first; 0 by default. */
  rank?: number
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

export type FairShare = {
  /** Waits for a place; returns a function that gives it back, harmless if called again. @throws the signal's reason, TooManyWishes */
  enter(tenant: string, wish?: Wish): Promise<() => void>
  /** Holds a place while `work` runs. */
  run<T>(tenant: string, work: () => Promise<T>, wish?: Wish): Promise<T>
}

type Waiting = { rank: number; start(): void }

/**
 * Shares places so that nobody's many wishes hold up somebody else's one: tenants take turns, and none gets more than its part of the
 * places (docs/decisions/0032). Work that holds a place must not wait for a second one.
 */
export function createFairShare({ places, perTenant, waitingPerTenant = Infinity }: Places): FairShare {
  /** Waiting tenants, in the order of their turns. */
  const lines = new Map<string, Waiting[]>()
  const working = new Map<string, number>()
  let free = places

  const isFree = (): boolean => free > 0
  const hasPart = (tenant: string): boolean => (working.get(tenant) ?? 0) < perTenant

  function start(tenant: string): () => void {
    free -= 1
    working.set(tenant, (working.get(tenant) ?? 0) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      free += 1
      const rest = (working.get(tenant) ?? 1) - 1
      if (rest > 0) working.set(tenant, rest)
      else working.delete(tenant)
      pump()
    }
  }

  function pump(): void {
    while (isFree()) {
      const tenant = [...lines.keys()].find(hasPart)
      const line = tenant === undefined ? undefined : lines.get(tenant)
      if (tenant === undefined || line === undefined) return
      const first = line.reduce((best, { rank }, at) => (rank < (line[best]?.rank ?? Infinity) ? at : best), 0)
      const [chosen] = line.splice(first, 1)
      // The tenant's next wish comes after everybody else's.
      lines.delete(tenant)
      if (line.length > 0) lines.set(tenant, line)
      chosen?.start()
    }
  }

  function wait(tenant: string, { rank = 0, signal }: Wish): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const line = lines.get(tenant) ?? []
      if (line.length >= waitingPerTenant) throw new TooManyWishes()
      if (line.length === 0) lines.set(tenant, line)
      const giveUp = (): void => {
        line.splice(line.indexOf(waiting), 1)
        if (line.length === 0 && lines.get(tenant) === line) lines.delete(tenant)
        reject(signal?.reason as Error)
      }
      const waiting: Waiting = {
        rank,
        start() {
          signal?.removeEventListener('abort', giveUp)
          resolve(start(tenant))
        },
      }
      line.push(waiting)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  async function enter(tenant: string, wish: Wish = {}): Promise<() => void> {
    wish.signal?.throwIfAborted()
    return isFree() && hasPart(tenant) ? start(tenant) : wait(tenant, wish)
  }

  return {
    enter,
    async run(tenant, work, wish) {
      const leave = await enter(tenant, wish)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
