import { Worker } from 'node:worker_threads'
import type { EncodedRows, LoadTarget } from '../facts/encode.ts'
import { fail, type GoogleResult } from '../google/problem.ts'
import type { AnalyticsQuery } from '../google/search-console.ts'

export type PageRequest = { accessToken: string; query: AnalyticsQuery; target: LoadTarget }
export type PageJob = PageRequest & { id: number }
export type PageReply = { id: number; answer: GoogleResult<EncodedRows> }

export type PageFetcher = {
  /** Fetches one page of results and encodes it for the store, off the main thread. Doesn't retry. */
  fetch(request: PageRequest, signal?: AbortSignal): Promise<GoogleResult<EncodedRows>>
  close(): Promise<void>
}

/** An idle thread ends after this time, freeing the memory that parsing took. */
const idleMs = 10_000

/** A thread for fetching, started on demand. */
export function createPageFetcher(apiUrl: string): PageFetcher {
  const waiting = new Map<number, { thread: Worker; resolve(answer: GoogleResult<EncodedRows>): void }>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): Worker {
    const started = new Worker(new URL('./page-worker.ts', import.meta.url), {
      workerData: { apiUrl },
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
    })
    started.on('message', ({ id, answer }: PageReply) => settle(id, answer))
    const ended = (why: string): void => {
      if (worker === started) worker = undefined
      for (const [id, { thread }] of waiting) if (thread === started) settle(id, fail('unavailable', `The fetching thread ended: ${why}`))
    }
    started.on('error', (error) => ended(error.message))
    // However it ended, nobody should keep waiting for its answer.
    started.on('exit', (code) => ended(`exit code ${code}`))
    started.unref()
    return started
  }

  function settle(id: number, answer: GoogleResult<EncodedRows>): void {
    waiting.get(id)?.resolve(answer)
    waiting.delete(id)
    clearTimeout(idle)
    if (waiting.size === 0) idle = setTimeout(stop, idleMs).unref()
  }

  async function stop(): Promise<void> {
    clearTimeout(idle)
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }

  return {
    async fetch(request, signal) {
      signal?.throwIfAborted()
      clearTimeout(idle)
      const thread = (worker ??= start())
      const id = ++lastId
      const answer = new Promise<GoogleResult<EncodedRows>>((resolve) => waiting.set(id, { thread, resolve }))
      thread.postMessage({ ...request, id } satisfies PageJob)
      return signal ? Promise.race([answer, aborted(signal)]) : answer
    },
    close: stop,
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
