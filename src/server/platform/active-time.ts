import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Measures how long work takes, without the time that it spends only waiting behind others' queries: how busy everybody else is must not use up
 * anyone's limits.
 */
export type ActiveTime = { activeMs(): number; waitedMs(): number }

type Watch = ActiveTime & {
  /** A query joins the queue. */
  waits(): void
  /** It got its place, or gave up. */
  waitsNoMore(): void
  /** It has an answer, or failed. */
  ended(): void
}

/** @param outer one that this work is part of, which measures the same waits */
function createWatch(outer?: Watch): Watch {
  const begun = performance.now()
  let [waiting, answering] = [0, 0]
  let waited = 0
  let since = begun
  /** While some of its questions are being answered, the others' wait delays nothing. */
  const change = (line: number, running: number): void => {
    const now = performance.now()
    if (waiting > 0 && answering === 0) waited += now - since
    since = now
    waiting += line
    answering += running
  }
  const waitedMs = (): number => waited + (waiting > 0 && answering === 0 ? performance.now() - since : 0)
  return {
    waits() {
      change(1, 0)
      outer?.waits()
    },
    waitsNoMore() {
      change(-1, 1)
      outer?.waitsNoMore()
    },
    ended() {
      change(0, -1)
      outer?.ended()
    },
    waitedMs,
    activeMs: () => performance.now() - begun - waitedMs(),
  }
}

const current = new AsyncLocalStorage<Watch>()

/** Runs `work`, giving it the measure of its active time. */
export function measured<T>(work: (time: ActiveTime) => T): T {
  const watch = createWatch(current.getStore())
  return current.run(watch, () => work(watch))
}

/** Asks a question that first waits for a place; `ask` calls `begun` when it has it. */
export async function inLine<T>(ask: (begun: () => void) => Promise<T>): Promise<T> {
  const watch = current.getStore()
  if (!watch) return ask(() => {})
  let isWaiting = true
  const begun = (): void => {
    if (isWaiting) watch.waitsNoMore()
    isWaiting = false
  }
  watch.waits()
  try {
    return await ask(begun)
  } finally {
    begun()
    watch.ended()
  }
}

/** Others kept the queue busy for too long. That is nobody's fault, so the work is retried at the next check. */
export class WaitedTooLong extends Error {
  override name = 'WaitedTooLong'
  constructor() {
    super("Other accounts' queries kept this query waiting too long")
  }
}

/** Maximum milliseconds for work's active time, and for its wait; `took` is told how long it took, however it ends. */
export type TimeLimits = { activeMs: number; waitMs: number; took?(activeMs: number): void }

/**
 * A signal for work within these limits: aborted with a `TimeoutError` after its active time, or with `WaitedTooLong`.
 * @returns also a function to call when it is over
 */
export function limitOf(time: ActiveTime, { activeMs, waitMs }: TimeLimits): { signal: AbortSignal; over: () => void } {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    const left = Math.min(activeMs - time.activeMs(), waitMs - time.waitedMs())
    if (left > 0) timer = setTimeout(check, left)
    else late.abort(time.activeMs() >= activeMs ? new DOMException('This took too long', 'TimeoutError') : new WaitedTooLong())
  }
  check()
  return { signal: late.signal, over: () => clearTimeout(timer) }
}
