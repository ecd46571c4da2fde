import { type QueryKey, useIsFetching } from '@tanstack/react-query'

/** Whether anything on screen, or what these keys begin, is being loaded for the first time. */
export function useLoading(queryKey?: QueryKey): boolean {
  return useIsFetching({ ...(queryKey && { queryKey }), predicate: ({ state }) => state.status === 'pending' }) > 0
}
