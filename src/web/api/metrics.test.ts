import { expect, test } from 'vitest'
import { allKeywords, allPages, allSites, historyQuery, pageTrends, searchTypesQuery, summaryQuery } from './analytics.ts'
import { brandListQuery, brandSplitQuery } from './brand.ts'
import { changesQuery, exploreHistory, exploreRows, exploreTrends, fewRowsQuery, savedQuery } from './explore.ts'
import { metricsQuery, reloadFigures } from './metrics.ts'
import { createQueryClient } from './query-client.ts'
import { searchQuery } from './search.ts'
import { syncQuery } from './sync.ts'

const property = 'sc-domain:shop.example'
const period = { range: '28d', compare: 'previous' }
const view = { range: '28d', compare: 'previous', grain: 'day', segment: '7' } as const
const explored = { property, ...period, type: 'web', by: 'query', sort: 'clicks', order: 'desc', where: 'brand is yes' } as const

test('changed brand terms reach everything with figures: filters and segments by brand, on any screen and for all sites', async () => {
  const client = createQueryClient()
  const figures = [
    metricsQuery(property, view),
    historyQuery(property, view),
    exploreRows(explored).options,
    exploreHistory(explored),
    exploreTrends(explored)(0),
    fewRowsQuery({ ...explored, limit: 5 }),
    changesQuery({ property, ...period, segment: '7', by: 'query' }),
    searchTypesQuery(property, period),
    summaryQuery(property, period),
    brandSplitQuery(property, period),
    allKeywords(property, { ...period, limit: 200 }).options,
    allKeywords(allSites, { ...period, segment: '7', limit: 200 }).options,
    allPages(property, { ...period, segment: '7', limit: 200 }).options,
    pageTrends(property, period)(0),
    searchQuery(property, 'lamp', view),
  ].map(({ queryKey }) => queryKey)
  const others = [savedQuery, brandListQuery(property), syncQuery(property)].map(({ queryKey }) => queryKey)
  for (const key of [...figures, ...others]) client.setQueryData(key, null)
  await reloadFigures(client)
  const isOutdated = (key: (typeof figures)[number]) => client.getQueryState(key)?.isInvalidated
  expect(figures.filter((key) => !isOutdated(key))).toEqual([])
  expect(others.filter(isOutdated)).toEqual([])
})
