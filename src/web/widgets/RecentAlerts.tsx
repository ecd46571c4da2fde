import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { BellOff } from 'lucide-react'
import type { Alert } from '../../contract/alerts.ts'
import { alertsQuery, markViewed, reloadAlerts } from '../api/alerts.ts'
import { failureText } from '../api/client.ts'
import { useNow } from '../lib/use-now.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { SectionCard } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { AlertRow } from './AlertRow.tsx'

/** The latest alerts of a property, at most `limit` of them (SPEC §9). */
export function RecentAlerts({ property, limit = 5 }: { property: string; limit?: number }) {
  const { data: alerts, isError, error, isPlaceholderData, refetch } = useQuery(alertsQuery(property))
  return (
    <SectionCard title="Recent Alerts" badge={alerts && !isError && <CountBadge count={alerts.length} />}>
      {isError ? (
        <ErrorState
          title="Unable to load alerts"
          actions={
            <Button variant="primary" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          <p className="wrap-anywhere">
            {property}: {failureText(error, error.message)}
          </p>
        </ErrorState>
      ) : alerts === undefined ? (
        <Loading />
      ) : alerts.length === 0 ? (
        <EmptyState icon={<BellOff aria-hidden />} title="No alerts generated yet">
          Configure alert conditions and run evaluation to generate alerts
        </EmptyState>
      ) : (
        <AlertList alerts={alerts.slice(0, limit)} outdated={isPlaceholderData} />
      )}
    </SectionCard>
  )
}

function CountBadge({ count }: { count: number }) {
  return (
    <Badge>
      <span>
        {count}
        <span className="sr-only">{count === 1 ? ' alert' : ' alerts'}</span>
      </span>
    </Badge>
  )
}

/** `outdated`: these are those of the property before. */
function AlertList({ alerts, outdated }: { alerts: readonly Alert[]; outdated: boolean }) {
  const now = useNow()
  const client = useQueryClient()
  const viewing = useMutation({ mutationFn: (id: string) => markViewed([id]), onSuccess: () => reloadAlerts(client) })
  return (
    <ul aria-busy={outdated} className={clsx('divide-y divide-line transition-opacity duration-150', outdated && 'opacity-50')}>
      {alerts.map((alert) => (
        <AlertRow
          key={alert.id}
          alert={alert}
          now={now}
          onView={() => {
            if (!alert.viewed) viewing.mutate(alert.id)
          }}
        />
      ))}
    </ul>
  )
}

function Loading() {
  return (
    <div aria-busy className="divide-y divide-line">
      <output className="sr-only">Loading alerts</output>
      {['first', 'second', 'third'].map((row) => (
        <div key={row} className="py-4 last:pb-0">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="mt-2 h-5 w-3/5" />
          <Skeleton className="mt-0.5 h-5 w-4/5" />
          <Skeleton className="mt-1.5 h-5 w-48" />
        </div>
      ))}
    </div>
  )
}
