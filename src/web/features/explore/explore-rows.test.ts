import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type ExploreParams, exploreRows } from '../../api/explore.ts'

const params: ExploreParams = { property: 'sc-domain:a.example', by: 'query', range: '28d' }

test('until the new rows arrive, the previous ones stay only if they are grouped by the same', () => {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  const { options } = exploreRows(params)
  client.setQueryData(options.queryKey, { pages: [null], pageParams: [0] })
  const observer = new InfiniteQueryObserver(client, { ...options, enabled: false })
  const unsubscribe = observer.subscribe(() => {})
  const shownFor = (asked: Partial<ExploreParams>) => {
    observer.setOptions({ ...exploreRows({ ...params, ...asked }).options, enabled: false })
    return observer.getCurrentResult().data?.pages
  }
  expect(shownFor({ range: '7d' })).toEqual([null])
  expect(shownFor({ sort: 'impressions' })).toEqual([null])
  expect(shownFor({ by: 'date' })).toBeUndefined()
  unsubscribe()
})
