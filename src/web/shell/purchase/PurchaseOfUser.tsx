import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useReducer, useSyncExternalStore } from 'react'
import type { User } from '../../../contract/user.ts'
import { sessionQuery } from '../../api/session.ts'
import { PurchaseContext } from './purchase-flow-context.ts'
import { afterPurchaseEvent, keepPurchase, type PurchaseEvent, readPurchase } from './purchase-flow.ts'

type PurchaseFlowProviderProps = { user: Pick<User, 'id' | 'planChosen'> | null; children: ReactNode }

function PurchaseFlowProvider({ user, children }: PurchaseFlowProviderProps) {
  const [flow, dispatch] = useReducer(afterPurchaseEvent, null, readPurchase)
  const userId = user?.id ?? null
  if (user !== null) {
    // Before anything below is drawn: the payment of the person before would begin.
    const event: PurchaseEvent = { type: 'signedIn', userId: user.id, hasPlan: user.planChosen }
    if (afterPurchaseEvent(flow, event) !== flow) dispatch(event)
  }
  useLayoutEffect(() => keepPurchase(flow), [flow])
  const tell = useCallback((event: PurchaseEvent) => dispatch(event.type === 'planChosen' ? { ...event, by: userId } : event), [userId])
  const purchase = useMemo(() => ({ flow, tell }), [flow, tell])
  return <PurchaseContext value={purchase}>{children}</PurchaseContext>
}

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
