import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore, type ReactNode } from 'react'
import type { User } from '../../../contract/user.ts'
import { sessionQuery } from '../../api/session.ts'
import { PurchaseFlowProvider } from './PurchaseFlowProvider.tsx'

/** The purchase of whoever is signed in here, or of a visitor. */
export function PurchaseOfUser({ children }: { children: ReactNode }) {
  return <PurchaseFlowProvider user={useKnownUser()}>{children}</PurchaseFlowProvider>
}

/** As far as it is known: asks nothing itself, so that pages for everybody stay as they are. */
function useKnownUser(): User | null {
  const client = useQueryClient()
  return useSyncExternalStore(
    useCallback((onChange) => client.getQueryCache().subscribe(onChange), [client]),
    () => client.getQueryData(sessionQuery.queryKey)?.user ?? null,
  )
}
