import { queryOptions } from '@tanstack/react-query'
import { alertTemplates } from '../../contract/alert-templates.ts'
import { askFor } from './client.ts'

const resource = '/api/alert-templates'

/** Rules ready to be set up, the same for every property. */
export const templatesQuery = queryOptions({
  queryKey: [resource],
  queryFn: ({ signal }) => askFor(alertTemplates, resource, { signal }),
})
