import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiFailure } from './client.ts'
import { createQueryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'

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

test('a request sent with the cookie that another tab had just replaced is sent once more, if the person is still logged in', async () => {
  const client = createQueryClient()
  const signedIn = { authenticated: true, user: null, demo: false, mail: true, billing: 'off' } as const
  let asked = 0
  const stop = new QueryObserver(client, {
    queryKey: ['audit-log'],
    queryFn: async () => {
      asked += 1
      throw new ApiFailure(401, '', '')
    },
  })
  client.setQueryData(sessionQuery.queryKey, { ...signedIn, authenticated: false })
  const unsubscribe = stop.subscribe(() => {})
  await vi.waitFor(() => expect(stop.getCurrentResult().isError).toBe(true))
  expect(asked).toBe(1)
  client.setQueryData(sessionQuery.queryKey, signedIn)
  await stop.refetch()
  await vi.waitFor(() => expect(asked).toBe(3))
  // Whatever it answers, once more is enough.
  await stop.refetch()
  expect(asked).toBe(4)
  unsubscribe()
})
