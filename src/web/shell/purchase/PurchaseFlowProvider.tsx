import { useCallback, useLayoutEffect, useMemo, useReducer, type ReactNode } from 'react'
import type { User } from '../../../contract/user.ts'
import { PurchaseContext } from './purchase-flow-context.ts'
import { keepPurchase, readPurchase } from './purchase-flow-storage.ts'
import { afterPurchaseEvent, type PurchaseEvent } from './purchase-flow.ts'

type PurchaseFlowProviderProps = { user: Pick<User, 'id' | 'planChosen'> | null; children: ReactNode }

export function PurchaseFlowProvider({ user, children }: PurchaseFlowProviderProps) {
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
