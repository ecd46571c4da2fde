import { setTimeout as sleep } from 'node:timers/promises'
import { type Session } from 'chdb'

/** A long write is one that reads what it writes, or rewrites what is stored: it may take minutes. */
export type Work = 'read' | 'write' | 'long write'
type Task = { work: Work; start(lane: Session): Promise<void> }

export type Lanes = {
  /**
   * Runs `use` with exclusive access to a session once one is free; reads before writes, as long as some sessions are left to writes.
   * @throws if `signal` is aborted while waiting, or the lanes are closed
   */
  run<T>(work: Work, use: (lane: Session) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Refuses new work, waits for running and queued work, then closes the sessions; one that never finishes is left alone. */
  close(): Promise<void>
}

/** A statement that takes longer is most likely stuck in the engine. */
const stuckMs = 60_000
/** How long closing waits for running statements. */
const patienceMs = 20_000

/**
 * Distributes engine sessions, one statement at a time on each. A session runs its statements sequentially, and a statement waiting inside
 * the engine holds one of Node's few worker threads, so the waiting is done here. Writes never take the last session: a long insert must
 * not block readers. Nor do reads while a write waits: however many there are, a quarter of the sessions is left to writes, so that one
 * that takes minutes doesn't keep the others waiting. Nor do several long writes: while no short write is running,
 * the next short one goes before reads, and long writes never take all the places for writes.
 * @param onStuck called for a statement that runs longer than any should
 */
export function createLanes(sessions: readonly Session[], onStuck: (work: Work) => void = () => {}): Lanes {
  const free = [...sessions]
  const waiting: Task[] = []
  const maxWriters = Math.max(1, Math.floor(sessions.length / 2))
  const leftToWrites = Math.max(1, Math.floor(sessions.length / 4))
  const maxLong = Math.max(1, maxWriters - 1)
  const running = { read: 0, write: 0, 'long write': 0 }
  let closing: (() => void) | undefined

  const first = (...kinds: Work[]): number => waiting.findIndex(({ work }) => kinds.includes(work))
  function firstWrite(isBeforeReads: boolean): number {
    const writers = running.write + running['long write']
    if (writers >= maxWriters) return -1
    const mayAny = !isBeforeReads || writers < leftToWrites
    if (mayAny && running['long write'] < maxLong) return first('write', 'long write')
    return mayAny || running.write === 0 ? first('write') : -1
  }
  const next = (): Task | undefined => {
    const read = first('read')
    const write = firstWrite(read >= 0)
    const index = write >= 0 ? write : read
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
    running[task.work] += 1
    const watch = setTimeout(onStuck, stuckMs, task.work).unref()
    await task.start(lane)
    clearTimeout(watch)
    running[task.work] -= 1
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
            await discardRest(lane)
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
      // Closing one with a running statement would crash the whole engine.
      for (const session of free) session.close()
    },
  }
}

const againMs = 100

/**
 * A statement that fails after its first rows leaves them in the session, where they would begin the next statement's answer (seen with
 * chdb 3.4): somebody else's. So nobody gets the session before a statement was answered with its own rows only.
 */
async function discardRest(lane: Session): Promise<void> {
  for (;;) {
    const answer = await lane.queryAsync('SELECT 1', { format: 'TabSeparated' }).catch(() => null)
    if (answer && Buffer.from(answer.bytes()).toString('latin1') === '1\n') return
    if (answer === null) await sleep(againMs)
  }
}
