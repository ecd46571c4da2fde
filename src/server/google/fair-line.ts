import { setTimeout as sleepMs } from 'node:timers/promises'

/** Waits for some time; ends at once with the signal's reason. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>
export const sleep: Sleep = async (ms, signal) => void (await sleepMs(ms, undefined, { ref: false, ...(signal && { signal }) }))

export type FairLine = {
  /** Waits until a call of this person may be made. @throws what drawing failed with, or the signal's reason */
  wait(userId: string, signal?: AbortSignal): Promise<void>
}

type Waiting = { resolve(): void; reject(error: unknown): void }

/** Calls drawn at once at most: how much one process goes ahead of the others, and what is lost when it dies. */
const lot = 16

/**
 * Hands calls that are drawn for a whole process out to the people it works for, one to each in turn. Whoever comes is
 * behind one call of each other person, not behind all of theirs.
 * @param draw takes so many calls and answers how long each of them has to wait, in milliseconds
 */
export function createFairLine(draw: (calls: number) => Promise<readonly number[]>, wait: Sleep): FairLine {
  /** Who waits, in the order of their turns. */
  const lines = new Map<string, Set<Waiting>>()
  let drawing = false

  const waiting = (): Waiting[] => [...lines.values()].flatMap((line) => [...line])

  function take(): Waiting | undefined {
    for (const [userId, line] of lines) {
      const [first] = line
      // Their next one comes after everybody else's.
      lines.delete(userId)
      if (first) line.delete(first)
      if (line.size > 0) lines.set(userId, line)
      if (first) return first
    }
    return undefined
  }

  async function handOut(): Promise<void> {
    drawing = true
    try {
      while (lines.size > 0) {
        const began = performance.now()
        // No more than there is somebody for: what is drawn and not used is lost to all processes.
        for (const ms of await draw(Math.min(lot, waiting().length))) {
          const left = ms === 0 ? 0 : ms - (performance.now() - began)
          if (left > 0) await wait(left)
          take()?.resolve()
        }
      }
    } catch (error) {
      for (const each of waiting()) each.reject(error)
      lines.clear()
    } finally {
      drawing = false
    }
  }

  return {
    async wait(userId, signal) {
      signal?.throwIfAborted()
      const line = lines.get(userId) ?? new Set()
      lines.set(userId, line)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const me = { resolve, reject }
      line.add(me)
      const giveUp = (): void => {
        line.delete(me)
        if (line.size === 0 && lines.get(userId) === line) lines.delete(userId)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      if (!drawing) void handOut()
      try {
        await promise
      } finally {
        signal?.removeEventListener('abort', giveUp)
      }
    },
  }
}
