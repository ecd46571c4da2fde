import { useQuery } from '@tanstack/react-query'
import { longestSearch, searchQuery } from '../../api/search.ts'
import { holds } from '../../lib/matching.ts'
import { useSettled } from '../../lib/hooks/use-settled.ts'
import { type EntryGroup, foundGroups } from './entries.ts'

/** A pause in typing, after which somebody wants to see what there is. */
const pauseMillis = 150

export type Found =
  | { state: 'idle' | 'loading' }
  /** `outdated`: found for an earlier text, of which it is what fits. */
  | { state: 'found'; groups: EntryGroup[]; outdated: boolean }
  | { state: 'failed'; error: Error; retry: () => void }

/** Keywords and pages of a property that hold what is typed. An answer that nobody waits for any more is given up. */
export function useFound(property: string | null, typed: string): Found {
  const text = typed.trim().slice(0, longestSearch)
  const asked = useSettled(text, pauseMillis)
  const enabled = property !== null && asked !== '' && text !== ''
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({ ...searchQuery(property ?? '', asked), enabled })
  if (property === null || text === '') return { state: 'idle' }
  const settled = asked === text
  if (settled && error !== null && !isFetching) return { state: 'failed', error, retry: () => void refetch() }
  if (!enabled || data === undefined) return { state: 'loading' }
  const outdated = !settled || isPlaceholderData || isFetching
  if (!outdated) return { state: 'found', groups: foundGroups(data, property, false), outdated }
  const groups = foundGroups(
    { keywords: data.keywords.filter(({ query }) => holds(query, text)), pages: data.pages.filter(({ page }) => holds(page, text)) },
    property,
    true,
  )
  return groups.length > 0 ? { state: 'found', groups, outdated } : { state: 'loading' }
}
