import { setTimeout as sleep } from 'node:timers/promises'
import { type Session } from 'chdb'

export type Work = 'read' | 'write'
type Task = { work: Work; start(lane: Session): Promise<void> }

export type Lanes = {
  /**
   * Runs `use` alone on one of the sessions, as soon as one is free; reads go before writes.
   * @throws when `signal` is aborted while waiting, or the lanes are closed
   */
  run<T>(work: Work, use: (lane: Session) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Refuses new work, waits for what runs and waits, then closes the sessions; one that does not come to an end is left as it is. */
  close(): Promise<void>
}

/** A statement that takes longer than this has most likely got stuck in the engine. */
const stuckMs = 60_000
/** How long closing waits for what runs. */
const patienceMs = 20_000

/**
 * Shares engine sessions out, one statement at a time on each. A session runs its statements one after another, and a
 * statement that waits for that inside the engine holds one of Node's few worker threads; so waiting is done here.
 * Writes never take the last session: a long insert must not keep readers waiting.
 * @param onStuck told of a statement that runs for longer than any should
 */
export function createLanes(sessions: readonly Session[], onStuck: (work: Work) => void = () => {}): Lanes {
  const free = [...sessions]
  const waiting: Task[] = []
  const maxWriters = Math.max(1, Math.floor(sessions.length / 2))
  let writers = 0
  let closing: (() => void) | undefined

  const mayStart = (task: Task): boolean => task.work === 'read' || writers < maxWriters
  const next = (): Task | undefined => {
    const read = waiting.findIndex((task) => task.work === 'read')
    const index = read >= 0 ? read : waiting.findIndex(mayStart)
    return index < 0 ? undefined : waiting.splice(index, 1)[0]
  }
  const pump = (): void => {
    for (let lane = free.pop(); lane; lane = free.pop()) {
      const task = next()
      if (!task) {
        free.push(lane)
        break
      }
      void occupy(lane, task)
    }
    if (closing && free.length === sessions.length && waiting.length === 0) closing()
  }
  const occupy = async (lane: Session, task: Task): Promise<void> => {
    if (task.work === 'write') writers += 1
    const watch = setTimeout(onStuck, stuckMs, task.work).unref()
    await task.start(lane)
    clearTimeout(watch)
    if (task.work === 'write') writers -= 1
    free.push(lane)
    pump()
  }

  return {
    run(work, use, signal) {
      if (closing) return Promise.reject(new Error('ClickHouse is closed'))
      return new Promise((resolve, reject) => {
        const start = async (lane: Session): Promise<void> => {
          if (signal?.aborted) return reject(signal.reason)
          try {
            resolve(await use(lane))
          } catch (error) {
            reject(error)
          }
        }
        waiting.push({ work, start })
        pump()
      })
    },
    async close() {
      const ended = new AbortController()
      const drained = new Promise<void>((resolve) => {
        closing = resolve
        pump()
      }).finally(() => ended.abort())
      await Promise.race([drained, sleep(patienceMs, undefined, { signal: ended.signal }).catch(() => {})])
      // Closing one with a statement under way would bring the whole engine down.
      for (const session of free) session.close()
    },
  }
}
