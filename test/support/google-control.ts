import { z } from 'zod'

const totalsAnswer = z.object({
  rows: z.array(
    z.object({
      keys: z.array(z.string()).default([]),
      clicks: z.number(),
      impressions: z.number(),
      ctr: z.number(),
      position: z.number().optional(),
    }),
  ),
  total: z.object({ clicks: z.number(), impressions: z.number(), ctr: z.number(), position: z.number().optional() }),
})
export type ControlTotals = z.infer<typeof totalsAnswer>

export type FailRequest = {
  error: string
  times?: number
  after?: number
  seconds?: number
  kind?: 'token' | 'sites' | 'query'
  site?: string
  dims?: readonly string[]
  laterPages?: boolean
  retryAfter?: number
}

/** The Google stand-in's control API (emulators/google/README.md), over the network like everything else. */
export function createControl(url: string) {
  let now = new Date()

  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${url}/_control/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  return {
    url,
    call,
    /** What the server under test takes for the present; set together with the stand-in's. */
    now: () => now,
    setNow: (day: string) => void (now = new Date(`${day}T20:00:00Z`)),
    async setToday(day: string): Promise<void> {
      now = new Date(`${day}T20:00:00Z`)
      await call('PUT', 'today', { today: day })
    },
    fail: (request: FailRequest) => call('POST', 'fail', request),
    stopFailing: () => call('DELETE', 'fail'),
    async totals(question: { site: string; start: string; end: string; dims?: string; type?: string; dataState?: string }): Promise<ControlTotals> {
      const query = new URLSearchParams({ dims: '', type: 'web', dataState: 'all', ...question })
      return totalsAnswer.parse(await call('GET', `totals?${query}`))
    },
    async requests(last = 1000): Promise<unknown> {
      return call('GET', `requests?last=${last}`)
    },
  }
}
export type Control = ReturnType<typeof createControl>
