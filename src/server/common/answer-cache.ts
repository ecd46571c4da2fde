import { serialize } from 'node:v8'
import { abandonedNow, newTenancy, tenantNow, runAs } from '../platform/tenant.ts'

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
 * another key. Callers that miss together share one computation, which is aborted when all of them have gone away.
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

  function begin<T>(key: string, compute: () => Promise<T>): Entry & { leave(reason: unknown): void } {
    const abandoned = new AbortController()
    const tenant = tenantNow()
    const answer = runAs(newTenancy(abandoned.signal, tenant), compute)
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
      if (answers.get(key) === entry) drop(key)
    }
    const keep = (made: unknown): void => {
      isDone = true
      if (answers.get(key) !== entry) return
      entry.bytes = serialize(made).byteLength
      count(entry, { entries: 0, bytes: entry.bytes })
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
    get<T>(key: string, compute: () => Promise<T>): Promise<T> {
      const abandoned = abandonedNow()
      if (abandoned?.aborted) return Promise.reject(abandoned.reason as Error)
      const entry = answers.get(key) ?? begin(key, compute)
      // Moved to the end: the least recently used entry is dropped first.
      answers.delete(key)
      answers.set(key, entry)
      keepWithin(entry.tenant)
      entry.waiting += 1
      abandoned?.addEventListener('abort', () => entry.leave(abandoned.reason), { once: true })
      return entry.answer as Promise<T>
    },
  }
}
