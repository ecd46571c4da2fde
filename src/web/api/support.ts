import { queryOptions } from '@tanstack/react-query'
import { support, type SupportMessage } from '../../contract/support.ts'
import { askFor, send } from './client.ts'

const resource = '/api/support'

/** How help is had here, and what could be told of the account with a message; of no property where none is named. */
export const supportQuery = (property: string | null) =>
  queryOptions({
    queryKey: [resource, property],
    queryFn: ({ signal }) =>
      askFor(support, property === null ? resource : `${resource}?property=${encodeURIComponent(property)}`, { signal }),
  })

export async function writeToSupport(message: SupportMessage): Promise<void> {
  await send(resource, { method: 'POST', body: message })
}
