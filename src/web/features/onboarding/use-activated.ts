import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import type { PlanId } from '../../../contract/user.ts'
import { planNames } from '../../lib/plans.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** The plan is in force: on to the sites, with a word about the payment where one was made here. */
export function useActivated(plan: PlanId): (paidHere: boolean) => void {
  const navigate = useNavigate()
  const { tell } = usePurchaseFlow()
  return useCallback(
    (paidHere) => {
      tell({ type: 'paymentSucceeded' })
      if (paidHere) toast.success('Payment Successful', `Your ${planNames[plan]} plan has been activated.`)
      void navigate(paths.selectSites, { replace: true })
    },
    [plan, navigate, tell],
  )
}
