import { isUnderWay, noPurchase, purchaseFlow, type PurchaseFlow } from './purchase-flow.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

const key = 'ranklark-purchase-flow'

/** What this tab remembers; nothing when it was never begun, is over, or is not of our making. */
export function readPurchase(): PurchaseFlow {
  const stored = readStored(() => sessionStorage, key)
  if (stored === null) return noPurchase
  try {
    const parsed = purchaseFlow.safeParse(JSON.parse(stored))
    return parsed.success && isUnderWay(parsed.data) ? parsed.data : noPurchase
  } catch {
    return noPurchase
  }
}

/** Keeps it for this tab; once it is complete or given up there is nothing to keep. */
export function keepPurchase(flow: PurchaseFlow): void {
  if (isUnderWay(flow)) writeStored(() => sessionStorage, key, JSON.stringify(flow))
  else removeStored(() => sessionStorage, key)
}
