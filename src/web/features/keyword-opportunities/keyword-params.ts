import { askedComparison } from '../../widgets/analytics/compared-with.ts'
import { writeRange } from '../../../contract/history.ts'
import type { CompetingParams, KeywordsParams, OpportunitiesParams, PeriodParams } from '../../api/analytics.ts'
import type { View } from '../../lib/address-view.ts'
import { type PeriodView, rangeIn } from '../../widgets/analytics/period-view.ts'
import {
  type analysisView,
  type FiltersView,
  type movementView,
  type opportunitiesView,
  orderOf,
  type PositionChoice,
} from './keyword-views.ts'

/** Number of rows requested, and shown (SPEC §7, §9); files have all of them. */
export const limits = {
  opportunities: { asked: 100, shown: 50 },
  analysis: { asked: 200, shown: 100 },
  movement: { asked: 200, shown: 100 },
  competing: { asked: 100, shown: 50 },
} as const

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
export function filterParams(view: FiltersView): CompetingParams {
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

/** Whether filters, apart from the period, could exclude keywords. */
export const isFiltered = ({ brand, segment, search }: Pick<FiltersView, 'brand' | 'segment' | 'search'>): boolean =>
  brand !== 'all' || segment !== '' || search.trim() !== ''
