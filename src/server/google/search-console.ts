import { z } from 'zod'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { Clock } from '../platform/clock.ts'
import { callGoogle } from './http.ts'
import type { GoogleResult } from './problem.ts'

export const permissionLevel = z.enum(['siteOwner', 'siteFullUser', 'siteRestrictedUser', 'siteUnverifiedUser'])

const siteEntry = z.object({ siteUrl: z.string().min(1), permissionLevel })
export type SiteEntry = z.infer<typeof siteEntry>
const sitesAnswer = z.object({ siteEntry: z.array(siteEntry).default([]) })

export type Dimension = 'date' | 'query' | 'page' | 'country' | 'device'

const analyticsRow = z.object({
  keys: z.array(z.string()).default([]),
  clicks: z.number(),
  impressions: z.number(),
  /** Absent for search types without positions (discover). */
  position: z.number().default(0),
})
export type AnalyticsRow = z.infer<typeof analyticsRow>

const analyticsAnswer = z.object({
  // A page past the end has no `rows` key at all.
  rows: z.array(analyticsRow).default([]),
  // The reference writes snake_case, the wire camelCase.
  metadata: z
    .object({ firstIncompleteDate: z.string().optional(), first_incomplete_date: z.string().optional() })
    .transform((given) => ({ firstIncompleteDate: given.firstIncompleteDate ?? given.first_incomplete_date }))
    .optional(),
})
export type AnalyticsAnswer = z.infer<typeof analyticsAnswer>

export type AnalyticsQuery = {
  siteUrl: string
  startDate: IsoDate
  endDate: IsoDate
  dimensions: readonly Dimension[]
  searchType: SearchType
  startRow: number
}

/** Rows of one page of results: the most that Google gives at once. */
export const rowLimit = 25_000

export type SearchConsole = {
  /** The properties of the account; empty when it has none. */
  sites(accessToken: string): Promise<GoogleResult<SiteEntry[]>>
  /** One property, whose name must be written exactly as Google has it: else `permission_missing`. */
  site(accessToken: string, siteUrl: string): Promise<GoogleResult<SiteEntry>>
  /** One page of results, fresh days included (`dataState: all`). */
  query(accessToken: string, query: AnalyticsQuery, signal?: AbortSignal): Promise<GoogleResult<AnalyticsAnswer>>
}

/** Google Search Console API, version 3, at `apiUrl` (without a trailing slash). Does not retry. */
export function createSearchConsole(apiUrl: string, clock: Clock): SearchConsole {
  const base = `${apiUrl.replace(/\/+$/, '')}/webmasters/v3`
  return {
    async sites(accessToken) {
      const answer = await callGoogle(clock, { url: `${base}/sites`, accessToken, answer: sitesAnswer })
      return answer.ok ? { ok: true, value: answer.value.siteEntry } : answer
    },
    site(accessToken, siteUrl) {
      return callGoogle(clock, { url: `${base}/sites/${encodeURIComponent(siteUrl)}`, accessToken, answer: siteEntry })
    },
    query(accessToken, { siteUrl, searchType, ...query }, signal) {
      return callGoogle(clock, {
        url: `${base}/sites/${encodeURIComponent(siteUrl)}/searchAnalytics/query`,
        accessToken,
        body: { ...query, type: searchType, dataState: 'all', rowLimit },
        answer: analyticsAnswer,
        ...(signal ? { signal } : {}),
      })
    },
  }
}
