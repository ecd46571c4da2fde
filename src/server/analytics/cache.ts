import { serialize } from 'node:v8'
import { abandonedNow, tenantNow, within } from '../platform/tenant.ts'

/** What answers may take up in memory, and how much of that one tenant's; `entries` bounds those that are still being made. */
export type CacheBounds = { entries: number; bytes: number; bytesOfTenant: number }

type Entry = {
  answer: Promise<unknown>
  tenant: string
  /** 0 until the answer is there. */
  bytes: number
  /** How many wait for it; of somebody who cannot go away it is never known that they do not. */
  waiting: number
}

/**
 * Answers that stay right until their property's facts change. The key holds the facts version, so
 * a new version is simply another key; callers that miss together share one computation, which ends
 * when all of them have gone away.
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

  /** Drops what has been unused for longest, of a tenant that holds too much first its own. */
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
    const answer = within({ tenant, abandoned: abandoned.signal }, compute)
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
      // Put at the end: the entry dropped first is the one unused for longest.
      answers.delete(key)
      answers.set(key, entry)
      keepWithin(entry.tenant)
      entry.waiting += 1
      abandoned?.addEventListener('abort', () => entry.leave(abandoned.reason), { once: true })
      return entry.answer as Promise<T>
    },
  }
}
