import type { Range } from '../../../contract/analytics.ts'
import { paths } from '../../paths.ts'

/** Everything about one keyword, over the same days. */
export const keywordAddress = (keyword: string, days: Range): string =>
  `${paths.keywordOpportunities}?${new URLSearchParams({ tab: 'analysis', keyword, days: String(days) })}`

/** Everything about one page, over the same days. */
export const pageAddress = (page: string, days: Range): string =>
  `${paths.pageAnalytics}?${new URLSearchParams({ page, days: String(days) })}`
