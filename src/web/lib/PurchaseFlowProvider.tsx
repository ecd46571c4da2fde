import { useLayoutEffect, useMemo, useReducer, type ReactNode } from 'react'
import { PurchaseContext } from './purchase-flow-context.ts'
import { keepPurchase, readPurchase } from './purchase-flow-storage.ts'
import { afterPurchaseEvent, type PurchaseEvent } from './purchase-flow.ts'

export function PurchaseFlowProvider({ userId, children }: { userId: string | null; children: ReactNode }) {
  const [flow, tell] = useReducer(afterPurchaseEvent, null, readPurchase)
  if (userId !== null) {
    // Before anything below is drawn: the payment of the person before would begin.
    const event: PurchaseEvent = { type: 'signedIn', userId }
    if (afterPurchaseEvent(flow, event) !== flow) tell(event)
  }
  useLayoutEffect(() => keepPurchase(flow), [flow])
  const purchase = useMemo(() => ({ flow, tell }), [flow])
  return <PurchaseContext value={purchase}>{children}</PurchaseContext>
}
