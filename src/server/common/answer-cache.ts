import { serialize } from 'node:v8'
import { abandonedNow, holdsSlotNow, partOfThis, tenantNow, runAs } from '../platform/tenant.ts'

/** How many answers there may be, including those still being computed, and how much memory they may use. */
export type CacheBounds = {
  entries: number
  bytes: number
  bytesOfTenant: number
  /** If given, a tenant's last answer is kept up to this size even if it exceeds `bytesOfTenant`. */
  bytesOfLast?: number
}

/** Answers that a tenant may have once the cache is full; one with more makes room first. */
const entriesOfTenant = 100

type Entry = {
  answer: Promise<unknown>
  tenant: string
  /** 0 until the answer has arrived. */
  bytes: number
  /** How many are waiting for it, including those that can't be abandoned. */
  waiting: number
}

/**
 * Caches answers that stay valid until their property's data changes. The key includes the data's version, so a new version is simply
 * another key. Callers that miss together share one computation, which is aborted when all of them have gone away, if they would wait in
 * the same line at the same rank: nobody waits in somebody else's line, which its owner can make as long as they like
 * (docs/decisions/0032). Answers are shared by everybody once they are there.
 */
export function createAnswerCache(most: CacheBounds) {
  const answers = new Map<string, Entry & { leave(reason: unknown): void }>()
  const tenants = new Map<string, { entries: number; bytes: number }>()
  let bytes = 0

  const heldBy = (tenant: string) => tenants.get(tenant) ?? { entries: 0, bytes: 0 }

  function count({ tenant }: Entry, added: { entries: number; bytes: number }): void {
    bytes += added.bytes
    const held = heldBy(tenant)
    const now = { entries: held.entries + added.entries, bytes: held.bytes + added.bytes }
    if (now.entries === 0) tenants.delete(tenant)
    else tenants.set(tenant, now)
  }

  function drop(key: string): void {
    const entry = answers.get(key)
    if (!entry || !answers.delete(key)) return
    count(entry, { entries: -1, bytes: -entry.bytes })
  }

  /** Whether an answer is its tenant's only one, and may exceed the tenant's share. */
  const isLast = ({ tenant, bytes: size }: Entry): boolean => size === heldBy(tenant).bytes && size <= (most.bytesOfLast ?? 0)

  /** Drops the least recently used answers: those of a tenant over its limit, and while there are too many in all, those of other tenants with many. */
  function keepWithin(tenant: string): void {
    for (const [key, entry] of answers) {
      if (heldBy(tenant).bytes <= most.bytesOfTenant) break
      if (entry.tenant === tenant && entry.bytes > 0 && !isLast(entry)) drop(key)
    }
    while (answers.size > most.entries || bytes > most.bytes) {
      const [first] = answers.keys()
      const ofMany = [...answers].find(([, entry]) => {
        const held = heldBy(entry.tenant)
        return held.entries > entriesOfTenant || held.bytes > most.bytesOfTenant
      })
      const key = ofMany?.[0] ?? first
      if (key === undefined) return
      drop(key)
    }
  }

  /** Where an answer is kept once it is there, and until then. */
  const arrivedAt = (key: string): string => `arrived ${key}`
  const awaitedAt = (key: string): string => `awaited ${JSON.stringify([tenantNow(), holdsSlotNow()])} ${key}`

  function begin<T>(key: string, compute: () => Promise<T>): Entry & { leave(reason: unknown): void } {
    const abandoned = new AbortController()
    const tenant = tenantNow()
    const awaited = awaitedAt(key)
    const answer = runAs(partOfThis(abandoned.signal), compute)
    const entry = {
      answer,
      tenant,
      bytes: 0,
      waiting: 0,
      leave(reason: unknown) {
        entry.waiting -= 1
        if (entry.waiting > 0 || isDone) return
        forget()
        abandoned.abort(reason)
      },
    }
    count(entry, { entries: 1, bytes: 0 })
    let isDone = false
    const forget = () => {
      if (answers.get(awaited) === entry) drop(awaited)
    }
    const keep = (made: unknown): void => {
      isDone = true
      if (answers.get(awaited) !== entry) return
      drop(awaited)
      // Somebody else's computation was faster.
      if (answers.has(arrivedAt(key))) return
      entry.bytes = serialize(made).byteLength
      answers.set(arrivedAt(key), entry)
      count(entry, { entries: 1, bytes: entry.bytes })
      keepWithin(tenant)
    }
    answer.then(
      (made) => keep(made),
      () => {
        isDone = true
        forget()
      },
    )
    return entry
  }

  return {
    /** @throws the reason for which the current work is abandoned, as soon as it is */
    get<T>(key: string, compute: () => Promise<T>): Promise<T> {
      const abandoned = abandonedNow()
      if (abandoned?.aborted) return Promise.reject(abandoned.reason as Error)
      const place = [arrivedAt(key), awaitedAt(key)].find((each) => answers.has(each)) ?? awaitedAt(key)
      const entry = answers.get(place) ?? begin(key, compute)
      // Moved to the end: the least recently used entry is dropped first.
      answers.delete(place)
      answers.set(place, entry)
      keepWithin(entry.tenant)
      entry.waiting += 1
      return abandoned ? untilAborted(entry, abandoned) : (entry.answer as Promise<T>)
    },
  }
}

/** The answer for somebody who may leave before it is there. */
function untilAborted<T>(entry: Entry & { leave(reason: unknown): void }, abandoned: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      entry.leave(abandoned.reason)
      reject(abandoned.reason as Error)
    }
    abandoned.addEventListener('abort', leave, { once: true })
    const stay = (): void => abandoned.removeEventListener('abort', leave)
    entry.answer.then(
      (answer) => (stay(), resolve(answer as T)),
      (error: unknown) => (stay(), reject(error as Error)),
    )
  })
}
