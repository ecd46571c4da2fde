import { useInfiniteQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { Link } from 'react-router'
import type { HeldPlan } from '../../../../contract/user.ts'
import { webhookRefusal } from '../../../../core/billing/entitlements.ts'
import { webhookLogQuery } from '../../../api/webhook-log.ts'
import { paths } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { SectionCard } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListPending } from '../ListPending.tsx'
import { WebhookMessage } from './WebhookMessage.tsx'

/** What was posted to the person's server, what it answered, and sending it again. */
export function WebhookLog({ plan }: { plan: HeldPlan }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(webhookLogQuery)
  const deliveries = data?.pages.flatMap((page) => page.deliveries)
  return (
    <SectionCard
      title="Webhook deliveries"
      description="Alerts, recoveries and connection problems posted to your server. Kept for 90 days."
    >
      {deliveries === undefined ? (
        <ListPending what="the deliveries" error={error} onRetry={() => void refetch()} />
      ) : deliveries.length === 0 ? (
        <Nothing locked={webhookRefusal(plan)} />
      ) : (
        <>
          <ul aria-label="Webhook deliveries" className="-my-2 divide-y divide-line">
            {deliveries.map((delivery) => (
              <li key={delivery.id}>
                <WebhookMessage delivery={delivery} />
              </li>
            ))}
          </ul>
          {hasNextPage && (
            <div className="mt-5 flex justify-center">
              <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {isFetchingNextPage ? 'Loading...' : 'Show older'}
              </Button>
            </div>
          )}
        </>
      )}
    </SectionCard>
  )
}

function Nothing({ locked }: { locked: string | null }) {
  const [to, label] = locked === null ? [paths.alertSettings, 'Set up a webhook'] : [paths.settings, 'See plans']
  return (
    <EmptyState
      icon={<Webhook aria-hidden />}
      title="No deliveries yet"
      actions={
        <Link to={to} className={buttonClass()}>
          {label}
        </Link>
      }
    >
      {locked ?? "Add your server's URL in Alert Settings, then send a test to see the first delivery."}
    </EmptyState>
  )
}
