import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useReducer, useSyncExternalStore } from 'react'
import type { User } from '../../../contract/user.ts'
import { sessionQuery } from '../../api/session.ts'
import { PurchaseContext } from './purchase-flow-context.ts'
import { afterPurchaseEvent, keepPurchase, type PurchaseEvent, readPurchase } from './purchase-flow.ts'

type PurchaseFlowProviderProps = { user: Pick<User, 'id' | 'planChosen'> | null; children: ReactNode }

function PurchaseFlowProvider({ user, children }: PurchaseFlowProviderProps) {
  const [flow, apply] = useReducer(afterPurchaseEvent, null, readPurchase)
  const userId = user?.id ?? null
  if (user !== null) {
    // Before anything below renders: otherwise the previous person's payment would start.
    const event: PurchaseEvent = { type: 'signedIn', userId: user.id, hasPlan: user.planChosen }
    if (afterPurchaseEvent(flow, event) !== flow) apply(event)
  }
  useLayoutEffect(() => keepPurchase(flow), [flow])
  const dispatch = useCallback((event: PurchaseEvent) => apply(event.type === 'planChosen' ? { ...event, by: userId } : event), [userId])
  const purchase = useMemo(() => ({ flow, dispatch }), [flow, dispatch])
  return <PurchaseContext value={purchase}>{children}</PurchaseContext>
}

/** The purchase of the signed-in person, or of a visitor. */
export function PurchaseOfUser({ children }: { children: ReactNode }) {
  return <PurchaseFlowProvider user={useKnownUser()}>{children}</PurchaseFlowProvider>
}

/** If known: sends no request of its own, so that public pages stay as they are. */
function useKnownUser(): User | null {
  const client = useQueryClient()
  return useSyncExternalStore(
    useCallback((onChange) => client.getQueryCache().subscribe(onChange), [client]),
    () => client.getQueryData(sessionQuery.queryKey)?.user ?? null,
  )
}
