import { useEffect, useRef } from 'react'
import { usePurchaseFlow } from './purchase-flow-context.ts'
import { useCurrentUser } from '../current-user.ts'

/**
 * Who has a plan already and comes from a payment to the app's own screens has given it up: it must not stand
 * between them and their sites. Choosing the plan again takes it up where it was.
 */
export function usePurchaseGivenUp(): void {
  const { planChosen } = useCurrentUser()
  const { flow, tell } = usePurchaseFlow()
  // As they come; a plan chosen on these screens is only the beginning of a purchase.
  const givenUp = useRef(planChosen && flow.selectedPlan !== null && flow.paymentStatus !== 'success')
  useEffect(() => {
    if (givenUp.current) tell({ type: 'reset' })
    givenUp.current = false
  }, [tell])
}
