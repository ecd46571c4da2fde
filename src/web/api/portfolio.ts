import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { portfolioEndpoints as endpoints, type Site } from '../../contract/portfolio.ts'
import { call } from './client.ts'
import { isUnderWay } from './sync.ts'

const lookAgainMillis = 5_000

/** All of the person's properties; polled while days of one are arriving. */
export const sitesQuery = queryOptions({
  queryKey: [endpoints.list.path],
  queryFn: ({ signal }) => call(endpoints.list, { signal }),
  // Shows other screens' changes at once.
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => (state.data?.some(({ monitored, sync }) => monitored && isUnderWay(sync)) ? lookAgainMillis : false),
})

export const saveTags = (property: string, tags: readonly string[]) => call(endpoints.tag, { body: { property, tags: [...tags] } })

/** A tag to add to or remove from a property, and its place among the others. */
export type TagEdit = { tag: string; at: number; isThere: boolean }

/** Shows a property with an edit of its tags, whatever else changed about them meanwhile. Returns the resulting tags. */
export async function editTags(client: QueryClient, property: string, { tag, at, isThere }: TagEdit): Promise<readonly string[]> {
  // Answers under way would bring back the old ones.
  await client.cancelQueries(sitesQuery)
  const before = client.getQueryData(sitesQuery.queryKey)?.find(({ name }) => name === property)?.tags ?? []
  const others = before.filter((each) => each !== tag)
  const tags = !isThere ? others : before.includes(tag) ? before : others.toSpliced(at, 0, tag)
  client.setQueryData(sitesQuery.queryKey, (sites: Site[] | undefined) =>
    sites?.map((site) => (site.name === property ? { ...site, tags } : site)),
  )
  return tags
}
