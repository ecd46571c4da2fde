import { z } from 'zod'
import { type IsoDate, isoDate, type SearchType } from '../../contract/common.ts'
import type { Clock } from '../platform/clock.ts'
import { readErrorAnswer, retryAfterSeconds } from './error-body.ts'
import { fail, type GoogleResult, succeed } from './problem.ts'

export const permissionLevel = z.enum(['siteOwner', 'siteFullUser', 'siteRestrictedUser', 'siteUnverifiedUser'])

const siteEntry = z.object({ siteUrl: z.string().min(1), permissionLevel })
export type SiteEntry = z.infer<typeof siteEntry>
const sitesAnswer = z.object({ siteEntry: z.array(siteEntry).default([]) })

export type Dimension = 'date' | 'query' | 'page' | 'country' | 'device' | 'searchAppearance'

/** The range of a count column (facts/schema.ts): ClickHouse would silently store anything beyond as another number. */
const count = z
  .int()
  .min(0)
  .max(2 ** 32 - 1)

const analyticsRow = z.object({
  keys: z.array(z.string()).default([]),
  clicks: count,
  impressions: count,
  /** Absent for search types without positions (Discover, Google News). */
  position: z.number().min(0).max(1e6).default(0),
})
export type AnalyticsRow = z.infer<typeof analyticsRow>

const analyticsAnswer = z.object({
  // A page past the end lacks the `rows` key.
  rows: z.array(analyticsRow).default([]),
  // The reference documents snake_case, the API sends camelCase.
  metadata: z
    .object({ firstIncompleteDate: z.string().optional(), first_incomplete_date: z.string().optional() })
    .transform((given) => ({ firstIncompleteDate: given.firstIncompleteDate ?? given.first_incomplete_date }))
    .optional(),
})
export type AnalyticsAnswer = z.infer<typeof analyticsAnswer>

const hourBegins = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() % 3_600_000 === 0, 'not the start of an hour')
const hoursAnswer = z
  .object({
    rows: z.array(analyticsRow.extend({ keys: z.tuple([hourBegins]) })).default([]),
    metadata: z.object({ firstIncompleteHour: hourBegins.optional(), first_incomplete_hour: hourBegins.optional() }).default({}),
  })
  .transform(({ rows, metadata }) => ({
    hours: rows.map(({ keys: [at], ...figures }) => ({ at, ...figures })),
    firstIncomplete: metadata.firstIncompleteHour ?? metadata.first_incomplete_hour ?? null,
  }))
/** Totals by the hour, each with its starting instant; from `firstIncomplete` on they may still change noticeably. */
export type HoursAnswer = z.infer<typeof hoursAnswer>
type HoursQuery = { siteUrl: string; startDate: IsoDate; endDate: IsoDate; searchType: SearchType }

export type AnalyticsQuery = {
  siteUrl: string
  startDate: IsoDate
  endDate: IsoDate
  dimensions: readonly Dimension[]
  searchType: SearchType
  startRow: number
  /** Only results with this search appearance. */
  appearance?: string
}

/** Whether a row has a key for each dimension, and one of the requested days. */
function answersTo(
  { dimensions, startDate, endDate }: Pick<AnalyticsQuery, 'dimensions' | 'startDate' | 'endDate'>,
  { keys }: AnalyticsRow,
) {
  if (keys.length !== dimensions.length) return false
  const date = keys[dimensions.indexOf('date')]
  return date === undefined || (isoDate.safeParse(date).success && date >= startDate && date <= endDate)
}

/** Rows per page of results: Google's maximum. */
export const rowLimit = 25_000

export type SearchConsole = {
  /** The properties of the account; empty when it has none. */
  sites(accessToken: string): Promise<GoogleResult<SiteEntry[]>>
  /** One property, named exactly as Google has it: otherwise `permission_missing`. */
  site(accessToken: string, siteUrl: string): Promise<GoogleResult<SiteEntry>>
  /** One page of results, including fresh days (`dataState: all`). */
  query(accessToken: string, query: AnalyticsQuery, signal?: AbortSignal): Promise<GoogleResult<AnalyticsAnswer>>
  /** Totals by the hour, including those still being counted; Google has about the last ten days. Omits hours without figures. */
  hours(accessToken: string, query: HoursQuery, signal?: AbortSignal): Promise<GoogleResult<HoursAnswer>>
}

/** Google Search Console API, version 3, at `apiUrl` (without a trailing slash). Does not retry. */
export function createSearchConsole(apiUrl: string, clock: Clock): SearchConsole {
  const base = `${apiUrl}/webmasters/v3`
  // Half a character, which no property has but a typed name may, can't be part of a URL.
  const siteAddress = (siteUrl: string) => `${base}/sites/${encodeURIComponent(siteUrl.toWellFormed())}`
  const queryUrl = (siteUrl: string) => `${siteAddress(siteUrl)}/searchAnalytics/query`
  return {
    async sites(accessToken) {
      const answer = await callGoogle(clock, { url: `${base}/sites`, accessToken, answer: sitesAnswer })
      return answer.ok ? { ok: true, value: answer.value.siteEntry } : answer
    },
    site(accessToken, siteUrl) {
      return callGoogle(clock, { url: siteAddress(siteUrl), accessToken, answer: siteEntry })
    },
    query(accessToken, { siteUrl, searchType, appearance, ...query }, signal) {
      return callGoogle(clock, {
        url: queryUrl(siteUrl),
        accessToken,
        body: {
          ...query,
          type: searchType,
          dataState: 'all',
          rowLimit,
          ...(appearance !== undefined && {
            dimensionFilterGroups: [{ filters: [{ dimension: 'searchAppearance', operator: 'equals', expression: appearance }] }],
          }),
        },
        answer: analyticsAnswer.refine(({ rows }) => rows.every((row) => answersTo(query, row)), 'a row that was not requested'),
        ...(signal ? { signal } : {}),
      })
    },
    hours(accessToken, { siteUrl, searchType, ...days }, signal) {
      return callGoogle(clock, {
        url: queryUrl(siteUrl),
        accessToken,
        body: { ...days, dimensions: ['hour'], type: searchType, dataState: 'hourly_all', rowLimit },
        answer: hoursAnswer,
        ...(signal ? { signal } : {}),
      })
    },
  }
}

/** A request that takes longer is lost; Google's slowest answers take about 30 s. */
const timeoutMs = 90_000

/**
 * One authorized JSON call. An answer that breaks off, isn't JSON or has another shape counts as Google being unavailable: it is retried,
 * and none of it is used.
 */
async function callGoogle<T>(
  clock: Clock,
  request: { url: string; accessToken: string; body?: unknown; answer: z.ZodType<T>; signal?: AbortSignal },
): Promise<GoogleResult<T>> {
  const timeout = AbortSignal.timeout(timeoutMs)
  let status: number
  let retryAfter: string | null
  let text: string
  try {
    const response = await fetch(request.url, {
      method: request.body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${request.accessToken}`,
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: 'error',
      signal: request.signal ? AbortSignal.any([timeout, request.signal]) : timeout,
    })
    status = response.status
    retryAfter = response.headers.get('retry-after')
    text = await response.text()
  } catch (error) {
    request.signal?.throwIfAborted()
    return fail('unavailable', describe(error))
  }
  if (status !== 200) {
    const { kind, detail } = readErrorAnswer(status, text)
    return fail(kind, detail, retryAfterSeconds(retryAfter, clock.now()))
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return fail('unavailable', 'The response was cut off.')
  }
  const parsed = request.answer.safeParse(body)
  return parsed.success ? succeed(parsed.data) : fail('unavailable', `Unexpected response format: ${parsed.error.issues[0]?.message}`)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
