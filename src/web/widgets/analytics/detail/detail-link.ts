import { writeRange } from '../../../../contract/history.ts'
import type { Period } from '../../../../contract/metrics.ts'
import { metricNames } from '../../../lib/metric.ts'
import type { View } from '../../../lib/address-view.ts'
import { periodView } from '../period-view.ts'

/** A page or query with its own panel. */
export type Detail = { kind: 'page' | 'keyword'; name: string }

/** The URL's panel parameters. Days and comparison are those of the screen below. */
export const detailView = { page: 'text', keyword: 'text', ...periodView, chart: metricNames } as const

/** The panel's subject; null while it is closed. The page wins if a URL names both. */
export function detailOf({ page, keyword }: Pick<View<typeof detailView>, 'page' | 'keyword'>): Detail | null {
  if (page !== '') return { kind: 'page', name: page }
  return keyword === '' ? null : { kind: 'keyword', name: keyword }
}

/** The view change that shows another panel, or none. */
export const showing = (detail: Detail | null) => ({
  page: detail?.kind === 'page' ? detail.name : '',
  keyword: detail?.kind === 'keyword' ? detail.name : '',
})

/**
 * The URL query that opens the panel, on any screen with a `DetailPanel`.
 * @param search the current URL's, which is kept except for another panel
 */
export function detailLink({ kind, name }: Detail, search: string | URLSearchParams = ''): string {
  const params = new URLSearchParams(search)
  params.delete('page')
  params.delete('keyword')
  params.set(kind, name)
  return `?${params}`
}

/** The same on other days than the screen's: those of a report, say. */
export function detailLinkOn(period: Period, detail: Detail, search: URLSearchParams): string {
  const params = new URLSearchParams(search)
  params.delete('days')
  params.set('range', writeRange(period))
  return detailLink(detail, params)
}
