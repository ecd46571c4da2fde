import { useIsFetching } from '@tanstack/react-query'

/** Whether anything on screen is being loaded for the first time. */
export const useLoading = (): boolean => useIsFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0
