import { changeSorts } from '../../../contract/analytics.ts'
import { writeRange } from '../../../contract/history.ts'
import type { View } from '../../lib/address-view.ts'
import { periodView, rangeIn } from '../../widgets/analytics/PeriodSelects.tsx'

/** What the list of SPEC §2 offers; the columns also sort by how much they changed. */
export const pageSorts = ['clicks', 'impressions', 'ctr', 'position'] as const

/** What the address says of this screen. */
export const pagesView = {
  tab: ['performance', 'insights', 'decay'],
  search: 'text',
  ...periodView,
  sort: [...pageSorts, ...changeSorts],
  order: ['desc', 'asc'],
} as const
export type PagesView = View<typeof pagesView>
export type ShowPages = (change: Partial<PagesView>, options?: { replace?: boolean }) => void

/** Rows that the screen asks for (SPEC §7), and rows of a table at most (SPEC §9). */
export const listLimit = 100
export const tableRows = 50

/** Most characters that the server looks for. */
const longestSearch = 200

/** Which pages, over which days, and what they are compared with. */
export function filterOf(view: PagesView) {
  const text = view.search.trim().slice(0, longestSearch).trim()
  return { range: writeRange(rangeIn(view)), compare: view.compare, search: text === '' ? undefined : text }
}

/** The same in the chosen order. */
export const listOf = (view: PagesView) => ({ ...filterOf(view), sort: view.sort, order: view.order })
