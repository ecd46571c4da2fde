import { createContext, type Dispatch, useContext } from 'react'
import type { PurchaseEvent, PurchaseFlow } from './purchase-flow.ts'

type Purchase = { flow: PurchaseFlow; dispatch: Dispatch<PurchaseEvent> }

export const PurchaseContext = createContext<Purchase | null>(null)

/** @throws outside PurchaseFlowProvider */
export function usePurchaseFlow(): Purchase {
  const purchase = useContext(PurchaseContext)
  if (purchase === null) throw new Error('usePurchaseFlow must be used inside PurchaseFlowProvider')
  return purchase
}
