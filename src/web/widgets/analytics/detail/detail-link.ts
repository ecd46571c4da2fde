import { metricNames } from '../../../lib/metric.ts'
import type { View } from '../../../lib/address-view.ts'
import { periodView } from '../PeriodSelects.tsx'

/** A page or a query, about which a panel tells everything. */
export type Detail = { kind: 'page' | 'keyword'; name: string }

/** What the address says of the panel. Days and comparison are those of the screen below it. */
export const detailView = { page: 'text', keyword: 'text', ...periodView, chart: metricNames } as const

/** What the panel is about; null while it is closed. A page comes first, should an address name both. */
export function detailOf({ page, keyword }: Pick<View<typeof detailView>, 'page' | 'keyword'>): Detail | null {
  if (page !== '') return { kind: 'page', name: page }
  return keyword === '' ? null : { kind: 'keyword', name: keyword }
}

/** The change of a view that shows another panel, or none. */
export const showing = (detail: Detail | null) => ({
  page: detail?.kind === 'page' ? detail.name : '',
  keyword: detail?.kind === 'keyword' ? detail.name : '',
})

/**
 * The query of an address at which the panel is open, on any screen that has a `DetailPanel`.
 * @param search of the address so far, all of which stays but another panel
 */
export function detailLink({ kind, name }: Detail, search: string | URLSearchParams = ''): string {
  const params = new URLSearchParams(search)
  params.delete('page')
  params.delete('keyword')
  params.set(kind, name)
  return `?${params}`
}
