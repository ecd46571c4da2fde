import { queryOptions } from '@tanstack/react-query'
import { plans } from '../../contract/billing.ts'
import { askFor } from './client.ts'

/** The catalogue, cheapest first; also for visitors. */
export const plansQuery = queryOptions({
  queryKey: ['/api/plans'],
  queryFn: ({ signal }) => askFor(plans, '/api/plans', { signal }),
})
