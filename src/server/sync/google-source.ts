import type { EncodedRows, LoadTarget } from '../facts/encode.ts'
import type { GoogleResult } from '../google/problem.ts'
import type { AnalyticsAnswer, AnalyticsQuery, SearchConsole } from '../google/search-console.ts'
import type { AskGoogle } from './ask-google.ts'
import type { PageFetcher } from './page-fetcher.ts'

export type PropertyQuery = Omit<AnalyticsQuery, 'siteUrl'>

/** Where the figures of one property come from. */
export type GoogleSource = {
  /** One page of results to use here; for small answers. */
  rows(query: PropertyQuery): Promise<GoogleResult<AnalyticsAnswer>>
  /** One page of results, ready to be written into a load; the date is the first dimension of `query`. */
  page(query: PropertyQuery, target: LoadTarget): Promise<GoogleResult<EncodedRows>>
}

export function googleSource(
  ask: AskGoogle,
  deps: { searchConsole: SearchConsole; pages: PageFetcher },
  siteUrl: string,
  signal?: AbortSignal,
): GoogleSource {
  return {
    rows: (query) => ask((accessToken) => deps.searchConsole.query(accessToken, { ...query, siteUrl }, signal)),
    page: (query, target) => ask((accessToken) => deps.pages.fetch({ accessToken, query: { ...query, siteUrl }, target }, signal)),
  }
}
