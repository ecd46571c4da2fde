import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from './query-client.ts'

test('nothing is refetched by time or focus, nothing gets stale, and nothing is retried (SPEC §9)', async () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions()
  expect(queries).toMatchObject({ refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false })
  expect(mutations).toMatchObject({ retry: false })
})

test('a screen that returns has its data, and a failed request was sent once', async () => {
  const client = createQueryClient()
  let asked = 0
  const query = { queryKey: ['figures'], queryFn: async () => (asked += 1) }
  await client.fetchQuery(query)
  const observer = new QueryObserver(client, query)
  const stop = observer.subscribe(() => {})
  expect(observer.getCurrentResult()).toMatchObject({ data: 1, isStale: false, isFetching: false })
  stop()

  let failed = 0
  const failing = async () => {
    failed += 1
    throw new Error('no')
  }
  await expect(client.fetchQuery({ queryKey: ['broken'], queryFn: failing })).rejects.toThrow('no')
  expect([asked, failed]).toEqual([1, 1])
})
