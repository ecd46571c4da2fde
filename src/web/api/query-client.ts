import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { logFailure } from '../lib/log.ts'
import { ApiFailure, UnreadableAnswer } from './client.ts'
import { sessionQuery } from './session.ts'

/** Nothing is refetched automatically: figures change once a day, and the screens decide what to reload and when. */
export function createQueryClient(): QueryClient {
  // The session may have ended meanwhile; requesting it sends the person to the login screen if so.
  const onError = (error: Error): void => {
    // No screen shows the details.
    if (error instanceof UnreadableAnswer) logFailure(`The response from ${error.path} doesn't match the contract`, error.cause)
    if (error instanceof ApiFailure && error.status === 401) void client.invalidateQueries(sessionQuery)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without a network a call fails visibly, rather than waiting for one in silence.
      queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
