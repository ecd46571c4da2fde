import { abandonedNow, tenantNow, within } from '../platform/tenant.ts'

type Entry = {
  answer: Promise<unknown>
  /** How many wait for it; of somebody who cannot go away it is never known that they do not. */
  waiting: number
}

/**
 * Answers that stay right until their property's facts change. The key holds the facts version, so
 * a new version is simply another key; callers that miss together share one computation, which ends
 * when all of them have gone away.
 */
export function createAnswerCache(maxEntries: number) {
  const answers = new Map<string, Entry & { leave(reason: unknown): void }>()

  function begin<T>(key: string, compute: () => Promise<T>): Entry & { leave(reason: unknown): void } {
    const abandoned = new AbortController()
    const answer = within({ tenant: tenantNow(), abandoned: abandoned.signal }, compute)
    const entry = {
      answer,
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
      if (answers.get(key) === entry) answers.delete(key)
    }
    answer.then(
      () => (isDone = true),
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
      if (answers.size > maxEntries) answers.delete(answers.keys().next().value as string)
      entry.waiting += 1
      abandoned?.addEventListener('abort', () => entry.leave(abandoned.reason), { once: true })
      return entry.answer as Promise<T>
    },
  }
}
