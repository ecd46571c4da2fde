import { createHash } from 'node:crypto'
import { BENCH_ACCOUNT, DEMO_ACCOUNT } from './accounts.ts'
import type { GoogleOptions } from './options.ts'
import { startGoogle } from './server.ts'
import type { GoogleStandIn } from './server.ts'

export const SHOP = 'sc-domain:lumenandloom.example'
export const BLOG = 'https://thecrumbjournal.example/'
export const LOCAL = 'https://harbourlanephysio.example/'
export const LARGE = 'sc-domain:grandbazaar.example'
export { BENCH_ACCOUNT, DEMO_ACCOUNT }

/** Default date of tests: a Wednesday noon in Los Angeles. */
const TODAY = '2026-07-15'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Tests look into bodies in many ways; one that reads a wrong field fails anyway.
  readonly body: Body
}

export interface Row {
  readonly keys?: string[]
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number
  readonly position?: number
}

interface Body {
  readonly rows?: Row[]
  readonly responseAggregationType?: string
  readonly metadata?: { firstIncompleteDate?: string; firstIncompleteHour?: string }
  readonly siteEntry?: { siteUrl: string; permissionLevel: string }[]
  readonly error?: { code: number; message: string; status?: string; errors?: Record<string, string>[]; details?: { reason: string }[] }
  readonly [field: string]: unknown
}

/** A stand-in with a client that talks to it over HTTP. */
export interface Bench {
  readonly google: GoogleStandIn
  control(method: string, path: string, body?: unknown): Promise<Body>
  get(path: string, token?: string): Promise<Answer>
  /** A query as the demo account, for one week of final days unless the body says otherwise. */
  query(siteUrl: string, body: Record<string, unknown>, token?: string): Promise<Answer>
  tokenOf(account: string): Promise<string>
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, text, body: isJson ? (JSON.parse(text) as Body) : {} }
}

/** Starts a stand-in on a free port, with the clock at TODAY. */
export async function openBench(options: GoogleOptions = {}): Promise<Bench> {
  const google = await startGoogle({ today: TODAY, anchor: TODAY, ...options })
  const tokens = new Map<string, string>()
  const bench: Bench = {
    google,
    control: async (method, path, body) => {
      const response = await fetch(`${google.url}/_control/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const answer = await read(response)
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.body
    },
    tokenOf: async (account) => {
      let token = tokens.get(account)
      if (token === undefined) tokens.set(account, (token = String((await bench.control('POST', 'grant', { account }))['access_token'])))
      return token
    },
    get: async (path, token) => {
      const bearer = token ?? (await bench.tokenOf(DEMO_ACCOUNT))
      return read(await fetch(google.url + path, { headers: { authorization: `Bearer ${bearer}` } }))
    },
    query: async (siteUrl, body, token) => {
      const bearer = token ?? (await bench.tokenOf(DEMO_ACCOUNT))
      const path = `/webmasters/v3/sites/${encodeURIComponent(siteUrl)}/searchAnalytics/query`
      return read(
        await fetch(google.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
          body: JSON.stringify({ startDate: '2026-07-01', endDate: '2026-07-07', ...body }),
        }),
      )
    },
    form: async (path, fields, headers = {}) =>
      read(await fetch(google.url + path, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })),
  }
  return bench
}

export const VERIFIER = 'a-verifier-that-is-long-enough-to-be-one-0123456789'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

export function sum(rows: readonly Row[] | undefined, field: 'clicks' | 'impressions'): number {
  return (rows ?? []).reduce((total, row) => total + row[field], 0)
}
