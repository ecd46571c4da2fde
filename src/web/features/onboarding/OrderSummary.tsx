import { Link } from 'react-router'
import type { Plan } from '../../../contract/billing.ts'
import { formatDollars } from '../../lib/money.ts'
import { paths } from '../../paths.ts'
import { PlanFeatures } from '../../ui/PlanCard.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** Null until the catalogue is there. */
export function OrderSummary({ plan }: { plan: Plan | null }) {
  return (
    <section aria-labelledby="order-summary" className="rounded-card border border-line bg-surface p-5 sm:p-6">
      <h2 id="order-summary" className="text-base font-semibold">
        Order Summary
      </h2>
      {plan === null ? (
        <Skeleton className="mt-4 h-48" />
      ) : (
        <>
          <div className="mt-4 flex items-baseline justify-between gap-3">
            <p className="font-medium">{plan.name} Plan</p>
            <p className="tabular-nums">{formatDollars(plan.price)}/month</p>
          </div>
          <PlanFeatures className="mt-4 text-muted" features={plan.features} />
          <dl className="mt-5 flex items-baseline justify-between gap-3 border-t border-line pt-4 font-semibold">
            <dt>Total</dt>
            <dd className="tabular-nums">{formatDollars(plan.price)}/month</dd>
          </dl>
          <Link to={paths.choosePlan} className="mt-1 -mb-3 inline-flex min-h-10 items-center font-medium text-brand hover:underline">
            Change plan
          </Link>
        </>
      )}
    </section>
  )
}
