import { queryOptions } from '@tanstack/react-query'
import { supportEndpoints as endpoints, type SupportMessage } from '../../contract/support.ts'
import { call } from './client.ts'

/** How help is had here, and what could be told of the account with a message; of no property where none is named. */
export const supportQuery = (property: string | null) =>
  queryOptions({
    queryKey: [endpoints.read.path, property],
    queryFn: ({ signal }) => call(endpoints.read, { query: { property: property ?? undefined }, signal }),
  })

export const writeToSupport = (message: SupportMessage): Promise<void> => call(endpoints.write, { body: message })
