import { useNavigate, useSearchParams } from 'react-router'
import type { Subscription } from '../../../contract/billing.ts'
import { planId, type PlanId } from '../../../contract/user.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { paths } from '../../paths.ts'

const parameter = 'change'

/**
 * Who pays already, or gives a plan up, is asked before anything changes (`?change=agency`, so that other
 * screens can lead there); everybody else goes to pay.
 */
export function usePlanChoice(subscription: Subscription): {
  /** The plan somebody is being asked about. */
  asked: PlanId | null
  choose: (plan: PlanId) => void
  close: () => void
} {
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const { tell } = usePurchaseFlow()
  const isPaying = subscription.status === 'active' || subscription.status === 'past_due'
  const isAsked = (plan: PlanId) => plan !== subscription.plan && (isPaying || plan === 'free')
  const wanted = planId.safeParse(query.get(parameter))

  function choose(plan: PlanId) {
    if (isAsked(plan)) {
      setQuery({ [parameter]: plan }, { preventScrollReset: true })
      return
    }
    tell({ type: 'planChosen', plan })
    void navigate(paths.payment)
  }

  return {
    asked: wanted.success && isAsked(wanted.data) ? wanted.data : null,
    choose,
    close: () => setQuery({}, { replace: true, preventScrollReset: true }),
  }
}
