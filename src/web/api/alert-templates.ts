import { queryOptions } from '@tanstack/react-query'
import { alertTemplateEndpoints as endpoints } from '../../contract/alert-templates.ts'
import { call } from './client.ts'

/** Rules ready to be set up, the same for every property. */
export const templatesQuery = queryOptions({
  queryKey: [endpoints.list.path],
  queryFn: ({ signal }) => call(endpoints.list, { signal }),
})
