import { infiniteQueryOptions } from '@tanstack/react-query'
import { auditEndpoints } from '../../contract/audit.ts'
import { call } from './client.ts'

/** What happened to the person's account, the latest first; asked again whenever somebody looks, since it changes elsewhere. */
export const auditQuery = infiniteQueryOptions({
  queryKey: [auditEndpoints.list.path],
  queryFn: ({ pageParam, signal }) => call(auditEndpoints.list, { query: { before: pageParam ?? undefined }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next,
  staleTime: 0,
})
