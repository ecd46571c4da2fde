import type { Alert } from '../../contract/alerts/alerts.ts'
import type { SearchType } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'

const searchConsole = 'https://search.google.com/search-console'

/** A property in Search Console (SPEC §7). */
export const searchConsoleAddress = (target: string): string => `${searchConsole}?resource_id=${encodeURIComponent(target.toWellFormed())}`

/** Where Search Console has a search type: the path of its report, and the choice within it. */
const reports: Record<SearchType, { path: string; search_type?: string }> = {
  web: { path: 'search-analytics' },
  image: { path: 'search-analytics', search_type: 'IMAGE' },
  video: { path: 'search-analytics', search_type: 'VIDEO' },
  news: { path: 'search-analytics', search_type: 'NEWS' },
  discover: { path: 'discover' },
  googleNews: { path: 'google-news' },
}

/** Search Console's report on exactly this page or query, on the same days if they are known. */
export function searchConsoleReport(
  target: string,
  { kind, name }: { kind: 'page' | 'keyword' | 'query'; name: string },
  days: Period | null,
  searchType: SearchType = 'web',
): string {
  const { path, ...chosen } = reports[searchType]
  const filter = { [kind === 'page' ? 'page' : 'query']: `!${name}` }
  const dates = days && { start_date: days.start.replaceAll('-', ''), end_date: days.end.replaceAll('-', '') }
  return `${searchConsole}/performance/${path}?${new URLSearchParams({ resource_id: target, ...chosen, ...filter, ...dates })}`
}

/** What an alert is about in Search Console: its page or query on its days, otherwise its property (decision 0081). */
export const alertInSearchConsole = ({
  target,
  entity,
  current,
  searchType,
}: Pick<Alert, 'target' | 'entity' | 'current' | 'searchType'>) =>
  entity.kind === 'page' || entity.kind === 'query'
    ? searchConsoleReport(target, { kind: entity.kind, name: entity.name }, current, searchType)
    : searchConsoleAddress(target)
