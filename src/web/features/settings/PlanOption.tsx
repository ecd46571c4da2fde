import { CalendarClock, Check } from 'lucide-react'
import type { Plan, Subscription } from '../../../contract/billing.ts'
import { isUpgrade } from '../../../core/billing/plans.ts'
import { formatDate } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { PlanCard } from '../../ui/PlanCard.tsx'

type PlanOptionProps = { plan: Plan; subscription: Subscription; onChoose: () => void }

export function PlanOption({ plan, subscription, onChoose }: PlanOptionProps) {
  const now = useNow()
  const { currentPeriodEnd, nextPlan } = subscription
  const isCurrent = plan.id === subscription.plan
  const isBetter = isUpgrade(subscription.plan, plan.id)
  const from = plan.id === nextPlan && currentPeriodEnd !== null ? formatDate(new Date(currentPeriodEnd), now) : null
  return (
    <PlanCard
      plan={plan}
      heading="h3"
      marked={isCurrent}
      badge={
        isCurrent ? (
          <Badge tone="positive" icon={<Check aria-hidden />}>
            Current plan
          </Badge>
        ) : from !== null ? (
          <Badge icon={<CalendarClock aria-hidden />}>From {from}</Badge>
        ) : (
          plan.popular && <Badge tone="brand">Most Popular</Badge>
        )
      }
    >
      {isCurrent || from !== null ? (
        <p className="control flex items-center justify-center text-muted">{isCurrent ? 'Your plan' : `Starts ${from}`}</p>
      ) : (
        <Button variant={isBetter && plan.popular ? 'primary' : 'secondary'} className="w-full" onClick={onChoose}>
          {isBetter ? 'Upgrade' : 'Downgrade'} to {plan.name}
        </Button>
      )}
    </PlanCard>
  )
}
