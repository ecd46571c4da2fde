import { infiniteQueryOptions } from '@tanstack/react-query'
import { auditLog } from '../../contract/audit.ts'
import { askFor } from './client.ts'

const resource = '/api/audit-log'

/** What happened to the person's account, the latest first; asked again whenever somebody looks, since it changes elsewhere. */
export const auditQuery = infiniteQueryOptions({
  queryKey: [resource],
  queryFn: ({ pageParam, signal }) => askFor(auditLog, pageParam === null ? resource : `${resource}?before=${pageParam}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next,
  staleTime: 0,
})
