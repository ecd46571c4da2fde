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

/** One tag that a property gets or loses, and where it stands among the others. */
export type TagEdit = { tag: string; at: number; isThere: boolean }

/** Shows a property with an edit of its tags, whatever else has changed about them meanwhile. Answers the tags that it has then. */
export async function editTags(client: QueryClient, property: string, { tag, at, isThere }: TagEdit): Promise<readonly string[]> {
  // What is on its way would bring the old ones back.
  await client.cancelQueries(sitesQuery)
  const before = client.getQueryData(sitesQuery.queryKey)?.find(({ name }) => name === property)?.tags ?? []
  const others = before.filter((each) => each !== tag)
  const tags = !isThere ? others : before.includes(tag) ? before : others.toSpliced(at, 0, tag)
  client.setQueryData(sitesQuery.queryKey, (sites: Site[] | undefined) =>
    sites?.map((site) => (site.name === property ? { ...site, tags } : site)),
  )
  return tags
}
