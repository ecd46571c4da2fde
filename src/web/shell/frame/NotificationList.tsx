import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { Link } from 'react-router'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { markAllViewed, reloadAlerts } from '../../api/alerts.ts'
import { failureText } from '../../api/client.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { SeverityBadge } from '../../ui/alert/AlertBadges.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ReportLink } from '../../widgets/AlertLinks.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { PropertyName } from '../../widgets/PropertyName.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'
import { unreadCountQuery, unreadQuery } from './unread-alerts.ts'
import { Breakable } from '../../ui/alert/Breakable.tsx'

/** The latest unread alerts. `onLeave` closes the container, for links that lead elsewhere. */
export function NotificationList({ onLeave }: { onLeave: () => void }) {
  // Refetched each time it opens, so that the list is current and matches the number on the button.
  const { data, isError, error, refetch } = useQuery({ ...unreadQuery, refetchOnMount: 'always' })
  const { data: count = 0 } = useQuery({ ...unreadCountQuery, refetchOnMount: 'always' })
  // Alerts opened from the list stay in it until the next fetch.
  const alerts = data?.filter(({ viewed }) => !viewed)
  return (
    <>
      {isError ? (
        <LoadFailure title="Unable to load notifications" error={error} onRetry={() => void refetch()} />
      ) : alerts === undefined ? (
        <Loading />
      ) : alerts.length === 0 ? (
        <EmptyState icon={<BellOff aria-hidden />} title="No unread alerts">
          New alerts from all your properties appear here.
        </EmptyState>
      ) : (
        <Unread alerts={alerts} count={count} onLeave={onLeave} />
      )}
      <nav
        aria-label="All alerts"
        className="sticky bottom-0 -mx-4 flex gap-x-1 border-t border-line bg-surface px-3 pt-2 after:absolute after:inset-x-0 after:top-full after:h-3 after:bg-surface"
      >
        {[
          { label: 'Active Alerts', path: paths.alerts },
          { label: 'Alert History', path: paths.alertHistory },
        ].map(({ label, path }) => (
          <Link
            key={path}
            to={path}
            onClick={onLeave}
            className="control inline-flex items-center rounded-control px-2 font-medium text-brand hover:bg-sunken"
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  )
}

function Unread({ alerts, count, onLeave }: { alerts: readonly Alert[]; count: number; onLeave: () => void }) {
  const now = useNow()
  const client = useQueryClient()
  const { view } = useAlertActions()
  const viewingAll = useMutation({
    mutationFn: () => markAllViewed('all'),
    onSuccess: () => reloadAlerts(client),
    onError: (failure) => toast.error('Alerts Not Marked as Viewed', failureText(failure, 'Please try again.')),
  })
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <p className="text-sm text-muted">
          {count > alerts.length ? `The latest ${alerts.length} of ${count}` : alerts.length} unread across all sites
        </p>
        <Button variant="quiet" className="-mr-2 px-2! text-brand!" disabled={viewingAll.isPending} onClick={() => viewingAll.mutate()}>
          Mark all as viewed
        </Button>
      </div>
      <ul className="mt-1 divide-y divide-line border-t border-line">
        {alerts.map((alert) => (
          <li key={alert.id}>
            <ReportLink
              alert={alert}
              className="-mx-2 block rounded-md px-2 py-3 hover:bg-sunken"
              onView={() => {
                view([alert.id])
                onLeave()
              }}
            >
              <span className="flex items-center justify-between gap-2">
                <SeverityBadge severity={alert.severity} />
                <time dateTime={alert.timestamp} className="text-xs text-muted">
                  {formatMoment(new Date(alert.timestamp), now)}
                </time>
              </span>
              <span className="mt-1.5 block font-medium wrap-anywhere">
                <Breakable text={alert.title} />
              </span>
              <span aria-hidden className="mt-0.5 block text-sm text-muted">
                <PropertyName name={alert.target} />
              </span>
              {/* In one element, to be read as one. */}
              <span className="sr-only">{alert.target}</span>
            </ReportLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function Loading() {
  return (
    <div aria-busy className="divide-y divide-line">
      <output className="sr-only">Loading notifications</output>
      {['first', 'second', 'third'].map((row) => (
        <div key={row} className="py-3">
          <Skeleton className="h-6 w-20" />
          <Skeleton className="mt-1.5 h-5 w-4/5" />
          <Skeleton className="mt-0.5 h-5 w-3/5" />
        </div>
      ))}
    </div>
  )
}
