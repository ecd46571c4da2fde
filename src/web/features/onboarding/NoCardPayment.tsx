import { CreditCard } from 'lucide-react'
import { Link } from 'react-router'
import type { PlanId } from '../../../contract/user.ts'
import { planNames } from '../../lib/plans.ts'
import { usePurchaseFlow } from '../../lib/purchase-flow-context.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** An installation without a payment provider can give nobody a paid plan. */
export function NoCardPayment({ plan }: { plan: PlanId }) {
  const { tell } = usePurchaseFlow()
  return (
    <EmptyState
      icon={<CreditCard aria-hidden />}
      title="Card payment is not set up here"
      actions={
        <>
          <Button variant="primary" onClick={() => tell({ type: 'planChosen', plan: 'free' })}>
            Continue with Free
          </Button>
          <Link to={paths.choosePlan} className={buttonClass()}>
            Back to the plans
          </Link>
        </>
      }
    >
      This installation of Ranklark takes no payments, so the {planNames[plan]} plan cannot be bought. The Free plan works without one;
      whoever runs the installation can set payment up.
    </EmptyState>
  )
}
