import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../src/server/platform/clock.ts'

/** A clock on which only waiting takes time. */
type VirtualTime = {
  clock: Clock
  sleep(ms: number): Promise<void>
  /** The same object, with calls that must finish before the clock moves on. */
  tracked<T extends object>(of: T): T
  /** Runs this work to its end. @throws its first failure */
  run(work: readonly Promise<unknown>[]): Promise<void>
}

/** Turns of the event loop without a new call before everybody counts as asleep. */
const quietTurns = 5

export function createVirtualTime(begin: Date): VirtualTime {
  let now = begin.getTime()
  let underWay = 0
  let onQuiet = (): void => {}
  const sleepers: { at: number; wake(): void }[] = []

  function track<T>(answer: T): T {
    if (!(answer instanceof Promise)) return answer
    underWay += 1
    const ended = (): void => {
      underWay -= 1
      if (underWay === 0) onQuiet()
    }
    answer.then(ended, ended)
    return answer
  }

  /** Wakes the shortest sleeper, once everybody waits only for the clock. */
  async function moveOn(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      if (underWay > 0) {
        quiet = 0
        await new Promise<void>((resolve) => (onQuiet = resolve))
      }
      await nextTurn()
    }
    const first = sleepers.toSorted((a, b) => a.at - b.at)[0]
    if (!first) return
    sleepers.splice(sleepers.indexOf(first), 1)
    now = Math.max(now, first.at)
    first.wake()
  }

  return {
    clock: { now: () => new Date(now) },
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
    tracked: (of) =>
      new Proxy(of, {
        get(target, name, receiver) {
          const value: unknown = Reflect.get(target, name, receiver)
          return typeof value === 'function' ? (...given: unknown[]) => track(value.apply(target, given) as unknown) : value
        },
      }),
    async run(work) {
      const open = new Set(work)
      for (const each of work) {
        const ended = (): void => void open.delete(each)
        each.then(ended, ended)
      }
      while (open.size > 0) await moveOn()
      await Promise.all(work)
    },
  }
}
