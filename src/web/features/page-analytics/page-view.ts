import { changeSorts } from '../../../contract/analytics.ts'
import { writeRange } from '../../../contract/history.ts'
import type { View } from '../../lib/address-view.ts'
import { askedComparison } from '../../widgets/analytics/compared-with.ts'
import { periodView, rangeIn } from '../../widgets/analytics/period-view.ts'

/** The options of SPEC §2's list; the columns also sort by their change. */
export const pageSorts = ['clicks', 'impressions', 'ctr', 'position'] as const

/** This screen's URL parameters. */
export const pagesView = {
  tab: ['performance', 'insights', 'decay'],
  segment: 'text',
  search: 'text',
  ...periodView,
  sort: [...pageSorts, ...changeSorts],
  order: ['desc', 'asc'],
} as const
export type PagesView = View<typeof pagesView>
export type ShowPages = (change: Partial<PagesView>, options?: { replace?: boolean }) => void

/** Rows requested at once (SPEC §7). */
export const listLimit = 100

/** The server's maximum length of a search text. */
const longestSearch = 200

/** Which pages, over which days, and the comparison. */
export function filterOf(view: PagesView) {
  const text = view.search.trim().slice(0, longestSearch).trim()
  return {
    range: writeRange(rangeIn(view)),
    compare: askedComparison(view.compare),
    segment: view.segment === '' ? undefined : view.segment,
    search: text === '' ? undefined : text,
  }
}

/** Same in the chosen order. */
export const listOf = (view: PagesView) => ({ ...filterOf(view), sort: view.sort, order: view.order })
