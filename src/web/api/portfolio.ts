import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { portfolioEndpoints as endpoints, type Site } from '../../contract/portfolio.ts'
import { call } from './client.ts'
import { isUnderWay } from './sync.ts'

const lookAgainMillis = 5_000

/** All properties of the person; looked at again while days of one are on their way. */
export const sitesQuery = queryOptions({
  queryKey: [endpoints.list.path],
  queryFn: ({ signal }) => call(endpoints.list, { signal }),
  // What other screens have changed since is seen at once.
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => (state.data?.some(({ monitored, sync }) => monitored && isUnderWay(sync)) ? lookAgainMillis : false),
})

export const saveTags = (property: string, tags: readonly string[]) => call(endpoints.tag, { body: { property, tags: [...tags] } })

/** Shows a property with other tags than it had; answers those. */
export async function showTags(client: QueryClient, property: string, tags: readonly string[]): Promise<readonly string[]> {
  // What is on its way would bring the old ones back.
  await client.cancelQueries(sitesQuery)
  const before = client.getQueryData(sitesQuery.queryKey)?.find(({ name }) => name === property)?.tags ?? []
  client.setQueryData(sitesQuery.queryKey, (sites: Site[] | undefined) =>
    sites?.map((site) => (site.name === property ? { ...site, tags: [...tags] } : site)),
  )
  return before
}
