import { serialize } from 'node:v8'
import { abandonedNow, newTenancy, tenantNow, within } from '../platform/tenant.ts'

/** How much memory all answers may use, and those of one tenant; `entries` also bounds answers still being computed. */
export type CacheBounds = { entries: number; bytes: number; bytesOfTenant: number }

type Entry = {
  answer: Promise<unknown>
  tenant: string
  /** 0 until the answer has arrived. */
  bytes: number
  /** How many are waiting for it, including those that can't be abandoned. */
  waiting: number
}

/**
 * Caches answers that stay right until their property's data changes. The key includes the data's version, so a new version is simply
 * another key. Callers that miss together share one computation, which is aborted when all of them have gone away.
 */
export function createAnswerCache(most: CacheBounds) {
  const answers = new Map<string, Entry & { leave(reason: unknown): void }>()
  const bytesOf = new Map<string, number>()
  let bytes = 0

  function count({ tenant }: Entry, added: number): void {
    bytes += added
    const held = (bytesOf.get(tenant) ?? 0) + added
    if (held === 0) bytesOf.delete(tenant)
    else bytesOf.set(tenant, held)
  }

  function drop(key: string): void {
    const entry = answers.get(key)
    if (!entry || !answers.delete(key)) return
    count(entry, -entry.bytes)
  }

  /** Drops the least recently used answers, those of a tenant over its bound first. */
  function keepWithin(tenant: string): void {
    for (const [key, entry] of answers) {
      if ((bytesOf.get(tenant) ?? 0) <= most.bytesOfTenant) break
      if (entry.tenant === tenant && entry.bytes > 0) drop(key)
    }
    for (const key of answers.keys()) {
      if (answers.size <= most.entries && bytes <= most.bytes) break
      drop(key)
    }
  }

  function begin<T>(key: string, compute: () => Promise<T>): Entry & { leave(reason: unknown): void } {
    const abandoned = new AbortController()
    const tenant = tenantNow()
    const answer = within(newTenancy(abandoned.signal, tenant), compute)
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
    let isDone = false
    const forget = () => {
      if (answers.get(key) === entry) drop(key)
    }
    const keep = (made: unknown): void => {
      isDone = true
      if (answers.get(key) !== entry) return
      entry.bytes = serialize(made).byteLength
      count(entry, entry.bytes)
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
