/** A generous timeout for Google's dashboard, since we ask once a day. */
const timeoutMs = 10_000
/** Its feed is some tens of kilobytes. */
const mostBytes = 2 * 1024 ** 2

export type FeedAnswer = { ok: true; text: string } | { ok: false; reason: string }

/** Reads the dashboard's feed, within a time and size limit and without redirects. Never throws for network failures. */
export async function fetchFeed(base: string, signal: AbortSignal, limits = { timeoutMs, mostBytes }): Promise<FeedAnswer> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  try {
    const response = await fetch(`${base}/incidents.json`, {
      headers: { accept: 'application/json' },
      // A redirect leads away from Google's dashboard.
      redirect: 'error',
      signal: AbortSignal.any([timeout, signal]),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { ok: false, reason: `it responded with ${response.status}` }
    }
    const text = await readAtMost(response, limits.mostBytes)
    return text === null ? { ok: false, reason: `it is larger than ${limits.mostBytes} bytes` } : { ok: true, text }
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, reason: describe(error) }
  }
}

/** Null if there is more; the rest isn't read. */
async function readAtMost(response: Response, most: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop ends the response.
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
