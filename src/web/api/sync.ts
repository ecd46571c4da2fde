import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { syncEndpoints as endpoints, type SyncStatus } from '../../contract/sync.ts'
import { ApiFailure, callIfSignedIn, callOrNull } from './client.ts'

const resource = endpoints.list.path

/** Polled every second while something is under way, otherwise only on request. */
export function syncQuery(property: string) {
  return queryOptions({
    queryKey: [resource, property],
    queryFn: async ({ signal }) => {
      try {
        const statuses = await callIfSignedIn(endpoints.list, { query: { property }, signal })
        return statuses?.find((status) => status.property === property) ?? null
      } catch (error) {
        // Removed in another window: an earlier status would stay forever.
        if (error instanceof ApiFailure && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state }) => (state.data ? lookAgainMillis(state.data) : false),
  })
}

type OfAnyProperty = Omit<SyncStatus, 'property'>

/** A sync waiting for its owner, or for Google, isn't under way. */
export function isUnderWay({ running, daysLeft, state }: OfAnyProperty): boolean {
  return running || (daysLeft > 0 && (state === 'ok' || state === 'never'))
}

/** The share of the history that is in during its import, from 0 to 1; null if it is complete, or nothing is arriving. */
export function historyShare(status: OfAnyProperty): number | null {
  const { daysLeft, daysTotal } = status
  return isUnderWay(status) && daysLeft > 0 ? (daysTotal - daysLeft) / daysTotal : null
}

/** Same in words: `Importing history: 84 of 489 days` and, once known, `about 2 minutes left`. */
export function historyProgress(status: SyncStatus): { days: string; left: string | null } | null {
  if (historyShare(status) === null) return null
  const { daysLeft, daysTotal, secondsLeft } = status
  return {
    days: `Importing history: ${daysTotal - daysLeft} of ${daysTotal} days`,
    left: secondsLeft === null ? null : `${timeLeft(secondsLeft)} left`,
  }
}

function timeLeft(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'less than a minute'
  // It is an estimate: rounded to half hours once it takes hours.
  return minutes <= 90 ? `about ${minutes} minutes` : `about ${Math.round(minutes / 30) / 2} hours`
}

/** Time until the next status request; false: no automatic one. */
export function lookAgainMillis(status: SyncStatus): number | false {
  if (isUnderWay(status)) return 1_000
  // It waits for a quota or for Google, and continues by itself.
  return status.retryAt !== null && !needsOwner(status) ? 10_000 : false
}

export function needsOwner({ state }: OfAnyProperty): boolean {
  switch (state) {
    case 'token_revoked':
    case 'scope_missing':
    case 'permission_missing':
    case 'property_form':
    case 'api_disabled':
      return true
    case 'ok':
    case 'never':
    case 'quota':
    case 'google_unavailable':
    case 'imported':
      return false
  }
}

export const startSync = (property: string): Promise<SyncStatus | null> => callOrNull(endpoints.start, { body: { property } })

/** Everything on screen except the sync itself, which is what noticed the change. */
export async function reloadWhatIsOnScreen(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== resource })
}

/** The status of an import isn't polled like a sync's: refetches it with everything else. */
export async function reloadAfterImport(client: QueryClient): Promise<void> {
  await client.invalidateQueries()
}
