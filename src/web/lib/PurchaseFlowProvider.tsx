import { useLayoutEffect, useMemo, useReducer, type ReactNode } from 'react'
import { PurchaseContext } from './purchase-flow-context.ts'
import { keepPurchase, readPurchase } from './purchase-flow-storage.ts'
import { afterPurchaseEvent } from './purchase-flow.ts'

export function PurchaseFlowProvider({ children }: { children: ReactNode }) {
  const [flow, tell] = useReducer(afterPurchaseEvent, null, readPurchase)
  useLayoutEffect(() => keepPurchase(flow), [flow])
  const purchase = useMemo(() => ({ flow, tell }), [flow])
  return <PurchaseContext value={purchase}>{children}</PurchaseContext>
}
