import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { logFailure } from '../lib/log.ts'
import { ApiFailure, UnreadableAnswer } from './client.ts'
import { sessionQuery } from './session.ts'

/** Nothing is refetched automatically: figures change once a day, and the screens decide what to reload and when. */
export function createQueryClient(): QueryClient {
  const repeated = new WeakSet<object>()
  // The session may have ended meanwhile; requesting it sends the person to the login screen if so.
  const onError = async (error: Error, query?: Query<unknown, unknown, unknown>): Promise<void> => {
    // No screen shows the details.
    if (error instanceof UnreadableAnswer) logFailure(`The response from ${error.path} doesn't match the contract`, error.cause)
    if (!(error instanceof ApiFailure && error.status === 401)) return
    await client.invalidateQueries(sessionQuery)
    // It was sent with the cookie that another tab had just replaced by ending other sessions.
    if (!query || repeated.has(query) || !client.getQueryData(sessionQuery.queryKey)?.authenticated) return
    repeated.add(query)
    await client.refetchQueries({ queryKey: query.queryKey, exact: true })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => void onError(error, query) }),
    mutationCache: new MutationCache({ onError: (error) => void onError(error) }),
    defaultOptions: {
      // Without a network a call fails visibly, rather than waiting for one in silence.
      queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
