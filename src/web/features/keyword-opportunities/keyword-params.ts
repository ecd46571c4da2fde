import { askedComparison } from '../../widgets/analytics/compared-with.ts'
import { writeRange } from '../../../contract/history.ts'
import type { CompetingParams, KeywordsParams, OpportunitiesParams, PeriodParams } from '../../api/analytics.ts'
import type { View } from '../../lib/address-view.ts'
import { type PeriodView, rangeIn } from '../../widgets/analytics/period-view.ts'
import {
  type analysisView,
  type competingView,
  type FiltersView,
  type movementView,
  type opportunitiesView,
  orderOf,
  type PositionChoice,
} from './keyword-views.ts'

/** Number of rows requested at once (SPEC §7, §9); the next ones follow as somebody scrolls. */
export const limits = { opportunities: 100, analysis: 200, movement: 200, competing: 100 } as const

/** The server's maximum length of a search text. */
const longestSearch = 200

const positions: Record<PositionChoice, { positionMin?: number; positionMax?: number }> = {
  '5-15': { positionMin: 5, positionMax: 15 },
  '11-20': { positionMin: 11, positionMax: 20 },
  all: {},
}

export const periodParams = (view: PeriodView): PeriodParams => ({
  range: writeRange(rangeIn(view)),
  compare: askedComparison(view.compare),
})

/** Omits filters that let everything through. */
function filterParams(view: FiltersView) {
  const search = view.search.trim().slice(0, longestSearch)
  return {
    ...periodParams(view),
    ...(view.brand !== 'all' && { brand: view.brand }),
    ...(view.segment !== '' && { segment: view.segment }),
    ...(search !== '' && { search }),
  }
}

export const opportunitiesParams = (view: View<typeof opportunitiesView>): OpportunitiesParams => ({
  ...filterParams(view),
  ...positions[view.position],
  sort: view.sort,
  order: orderOf(view),
})

export const analysisParams = (view: View<typeof analysisView>): KeywordsParams => ({
  ...filterParams(view),
  sort: view.sort,
  order: orderOf(view),
})

export const movementParams = (view: View<typeof movementView>): KeywordsParams => ({
  ...filterParams(view),
  presence: view.presence,
  sort: view.sort,
  order: orderOf(view),
})

export const competingParams = (view: View<typeof competingView>): CompetingParams => ({
  ...filterParams(view),
  sort: view.sort,
  order: orderOf(view),
})

/** Whether filters, apart from the period, could exclude keywords. */
export const isFiltered = ({ brand, segment, search }: Pick<FiltersView, 'brand' | 'segment' | 'search'>): boolean =>
  brand !== 'all' || segment !== '' || search.trim() !== ''
