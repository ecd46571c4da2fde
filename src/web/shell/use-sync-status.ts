import { useQuery } from '@tanstack/react-query'
import type { SyncStatus } from '../../contract/sync.ts'
import { syncQuery } from '../api/sync.ts'
import { useCurrentUser } from './current-user.ts'

/** Where the selected property's sync stands; null until that is known, or without a selected property. */
export function useSyncStatus(): SyncStatus | null {
  const { selectedProperty } = useCurrentUser()
  const { data } = useQuery({ ...syncQuery(selectedProperty ?? ''), enabled: selectedProperty !== null })
  return data ?? null
}
