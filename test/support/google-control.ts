import { z } from 'zod'

const totalsAnswer = z.object({
  finalDate: z.string(),
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

const requestsAnswer = z.object({
  total: z.number(),
  last: z.array(
    z.object({
      kind: z.string(),
      siteUrl: z.string().nullable(),
      dims: z.array(z.string()).nullable(),
      startRow: z.number(),
      startDate: z.string().nullable(),
      endDate: z.string().nullable(),
      type: z.string().nullable(),
      status: z.number(),
      at: z.string(),
    }),
  ),
})
export type LoggedRequest = z.infer<typeof requestsAnswer>['last'][number]

/** A row of a day as dictated by a test; without a query it is anonymized. */
export type DictatedRow = {
  query?: string
  page: string
  clicks: number
  impressions: number
  position: number
  country?: string
  device?: string
}
export type Profile = 'shop' | 'blog' | 'local' | 'large' | 'empty'

/** Hours from one on, until another if given, whose counts are multiplied by a factor. */
export type HourChange = { from: string; until?: string; factor: number; final?: 'confirms' | 'withdraws' }

export type FailRequest = {
  error:
    | 'unauthorized'
    | 'forbiddenSite'
    | 'apiDisabled'
    | 'scopeMissing'
    | 'quota403'
    | 'rate429'
    | 'loadQuota'
    | 'internal500'
    | 'unavailable503'
    | 'invalidGrant'
    | 'notJson'
    | 'truncatedBody'
    | 'truncatedClean'
    | 'hang'
    | 'connectionReset'
    | 'held'
  times?: number
  after?: number
  seconds?: number
  kind?: 'token' | 'sites' | 'query' | 'status'
  site?: string
  dims?: readonly string[]
  type?: string
  laterPages?: boolean
  retryAfter?: number
}

/** The Google stand-in's control API (emulators/google/README.md), over the network like everything else. */
export function createControl(url: string) {
  let now = new Date()

  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object | null): Promise<unknown> {
    const response = await fetch(`${url}/_control/${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }

  return {
    url,
    call,
    /** The current time of the server under test; set together with the stand-in's. */
    now: () => now,
    setNow: (day: string) => void (now = new Date(`${day}T20:00:00Z`)),
    /** Time passes for the server under test; Google's figures stay unchanged. */
    advance: (ms: number) => void (now = new Date(now.getTime() + ms)),
    async setToday(day: string): Promise<void> {
      now = new Date(`${day}T20:00:00Z`)
      await call('PUT', 'today', { today: day })
    },
    /** The same time for both sides, to the second. */
    async setMoment(instant: string): Promise<void> {
      now = new Date(instant)
      await call('PUT', 'today', { today: now.toISOString() })
    },
    /** Another Google account, with these properties. */
    async account(email: string, properties: Record<string, Profile> = {}, how: { consumer?: boolean } = {}): Promise<void> {
      await call('POST', 'accounts', { email, ...how })
      for (const [site, profile] of Object.entries(properties)) await call('POST', 'sites', { account: email, site, profile })
    },
    /** A day of a property consists of exactly these rows from now on. */
    setRows: (site: string, date: string, rows: readonly DictatedRow[] | null) => call('PUT', 'rows', { site, date, rows }),
    /** The same for several days. */
    setDays: (site: string, days: { from: string; to: string }, rows: readonly DictatedRow[] | null) =>
      call('PUT', 'rows', { site, date: days.from, until: days.to, rows }),
    /** Multiplies a day's original counts by a factor, or keeps only its best rows. */
    revise: (site: string, date: string, how: { factor: number } | { rows: number } | object) =>
      call('POST', 'revise', { site, date, ...how }),
    /** These hours of a property deviate from the usual, and no others; the final day confirms it unless specified otherwise. */
    changeHours: (site: string, changes: readonly HourChange[]) => call('PUT', 'hours', { site, changes }),
    /** An account's permission for a property; null removes it. */
    permit: (account: string, site: string, permission: string | null) => call('PUT', 'permissions', { account, site, permission }),
    /** Calls wait this long before they are answered; 0 ends it. */
    delay: (ms: number, kind?: 'token' | 'sites' | 'query') => call('PUT', 'delay', { ms, ...(kind && { kind }) }),
    fail: (request: FailRequest) => call('POST', 'fail', request),
    /** Ends all faults, and answers held calls. */
    stopFailing: () => call('DELETE', 'fail'),
    async totals(question: {
      site: string
      start: string
      end: string
      dims?: string
      type?: string
      dataState?: string
    }): Promise<ControlTotals> {
      const query = new URLSearchParams({ dims: '', type: 'web', dataState: 'all', ...question })
      return totalsAnswer.parse(await call('GET', `totals?${query}`))
    },
    /** The last calls that reached the stand-in, oldest first. */
    requests: async (last = 10_000): Promise<LoggedRequest[]> => requestsAnswer.parse(await call('GET', `requests?last=${last}`)).last,
    forgetRequests: () => call('DELETE', 'requests'),
  }
}
export type Control = ReturnType<typeof createControl>
