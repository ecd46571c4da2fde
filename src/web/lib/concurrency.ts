type Wait = { start: () => void; signal: AbortSignal }

/** Runs up to `places` tasks at a time; the others wait in order of arrival, unless aborted. */
export function createLimit(places: number) {
  const waiting: Wait[] = []
  let free = places

  function next(): void {
    const found = waiting.shift()
    if (found === undefined) free += 1
    else if (found.signal.aborted) next()
    else found.start()
  }

  return async function limited<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted()
    if (free > 0) free -= 1
    else await new Promise<void>((start) => waiting.push({ start, signal }))
    try {
      return await work()
    } finally {
      next()
    }
  }
}

/** Waits this long; throws if aborted earlier. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}

/**
 * Does something at once, and again if it was asked for meanwhile: after `first` milliseconds, then after twice as many each time, up to
 * `most`. `reset` forgets what is waiting, and starts anew.
 */
export function createSpaced(work: () => void, { first, most }: { first: number; most: number }) {
  let wait = first
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAsked = false

  function run(): void {
    isAsked = false
    timer = setTimeout(() => {
      timer = undefined
      if (isAsked) run()
    }, wait)
    wait = Math.min(wait * 2, most)
    work()
  }

  return {
    ask(): void {
      if (timer === undefined) run()
      else isAsked = true
    },
    reset(): void {
      clearTimeout(timer)
      timer = undefined
      wait = first
      isAsked = false
    },
  }
}
