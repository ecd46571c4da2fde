import { setTimeout as sleepMs } from 'node:timers/promises'

/** Waits; ends at once with the signal's reason. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>
export const sleep: Sleep = async (ms, signal) => void (await sleepMs(ms, undefined, { ref: false, ...(signal && { signal }) }))

export type CallQueue = {
  /** Waits until this person may make a call. @throws the error of drawing, or the signal's reason */
  wait(userId: string, signal?: AbortSignal): Promise<void>
}

type Waiting = { resolve(): void; reject(error: unknown): void }

/** Maximum number of calls drawn at once: how far one process gets ahead of the others, and what is lost when it dies. */
const lot = 16

/**
 * Distributes calls drawn for a whole process to the people it works for, one each in turn. A newcomer waits behind one call of each other
 * person, not behind all of theirs.
 * @param draw takes this many calls and returns how long each has to wait, in milliseconds
 */
export function createCallQueue(draw: (calls: number) => Promise<readonly number[]>, wait: Sleep): CallQueue {
  /** People waiting, in the order of their turns. */
  const queues = new Map<string, Set<Waiting>>()
  let drawing = false

  const waiting = (): Waiting[] => [...queues.values()].flatMap((queue) => [...queue])

  function take(): Waiting | undefined {
    for (const [userId, queue] of queues) {
      const [first] = queue
      // Their next one comes after everybody else's.
      queues.delete(userId)
      if (first) queue.delete(first)
      if (queue.size > 0) queues.set(userId, queue)
      if (first) return first
    }
    return undefined
  }

  async function handOut(): Promise<void> {
    drawing = true
    try {
      while (queues.size > 0) {
        const began = performance.now()
        // No more than there are people waiting: unused calls are lost to all processes.
        for (const ms of await draw(Math.min(lot, waiting().length))) {
          const left = ms === 0 ? 0 : ms - (performance.now() - began)
          if (left > 0) await wait(left)
          take()?.resolve()
        }
      }
    } catch (error) {
      for (const each of waiting()) each.reject(error)
      queues.clear()
    } finally {
      drawing = false
    }
  }

  return {
    async wait(userId, signal) {
      signal?.throwIfAborted()
      const queue = queues.get(userId) ?? new Set()
      queues.set(userId, queue)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const me = { resolve, reject }
      queue.add(me)
      const giveUp = (): void => {
        queue.delete(me)
        if (queue.size === 0 && queues.get(userId) === queue) queues.delete(userId)
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
