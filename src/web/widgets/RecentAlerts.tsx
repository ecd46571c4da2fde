import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { BellOff, ExternalLink } from 'lucide-react'
import { Link } from 'react-router'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { alertsCountQuery, alertsQuery } from '../api/alerts.ts'
import { alertFigures } from '../lib/alert/alert-view.ts'
import { formatMoment } from '../lib/dates.ts'
import { formatCount } from '../lib/format.ts'
import { useNow } from '../lib/hooks/use-now.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/Badge.tsx'
import { buttonClass, iconButtonClass } from '../ui/Button.tsx'
import { SectionCard } from '../ui/Card.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FixLink } from '../ui/FixLink.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { SeverityBadge, StateBadge, ViewedBadge } from '../ui/alert/AlertBadges.tsx'
import { AlertChange } from '../ui/alert/AlertChange.tsx'
import { AlertMarkup } from '../ui/alert/AlertMarkup.tsx'
import { Breakable } from '../ui/alert/Breakable.tsx'
import { alertTitleClass } from './AlertCard.tsx'
import { ReportLink, SearchConsoleLink } from './AlertLinks.tsx'
import { AlertsProblem } from './LoadProblem.tsx'
import { RulesAtWork } from './RulesAtWork.tsx'
import { useAlertActions } from './use-alert-actions.ts'

/** Number of listed alerts (SPEC §2). */
const limit = 10

/** The latest alerts of a property. */
export function RecentAlerts({ property }: { property: string }) {
  const { data: alerts, isError, error, isPlaceholderData, refetch } = useQuery(alertsQuery(property, { limit }))
  const { data: count } = useQuery(alertsCountQuery(property))
  return (
    <SectionCard title="Recent Alerts" badge={count !== undefined && !isError && <CountBadge count={count} />}>
      {isError ? (
        <AlertsProblem property={property} error={error} onRetry={() => void refetch()} />
      ) : alerts === undefined ? (
        <Loading />
      ) : alerts.length === 0 ? (
        <EmptyState
          icon={<BellOff aria-hidden />}
          title="No alerts generated yet"
          actions={
            <Link to={paths.alertSettings} className={buttonClass('secondary')}>
              Alert Settings
            </Link>
          }
        >
          <RulesAtWork property={property} />
        </EmptyState>
      ) : (
        <>
          <AlertList alerts={alerts} outdated={isPlaceholderData} />
          {count !== undefined && count > alerts.length && (
            <div className="mt-5 border-t border-line pt-4 text-center">
              <Link to={paths.alertHistory} className={buttonClass('secondary')}>
                View All Alerts ({formatCount(count)})
              </Link>
            </div>
          )}
        </>
      )}
    </SectionCard>
  )
}

function CountBadge({ count }: { count: number }) {
  return (
    <Badge>
      <span>
        {formatCount(count)}
        <span className="sr-only">{count === 1 ? ' alert' : ' alerts'}</span>
      </span>
    </Badge>
  )
}

/** `outdated`: these are the previous property's. */
function AlertList({ alerts, outdated }: { alerts: readonly Alert[]; outdated: boolean }) {
  const now = useNow()
  const { view } = useAlertActions()
  return (
    <ul aria-busy={outdated} className={clsx('divide-y divide-line transition-opacity duration-150', outdated && 'opacity-50')}>
      {alerts.map((alert) => (
        <AlertRow
          key={alert.id}
          alert={alert}
          now={now}
          onView={() => {
            if (!alert.viewed) view([alert.id])
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

type AlertRowProps = { alert: Alert; now: Date; onView: () => void }

/** An alert in the list of recent ones. */
function AlertRow({ alert, now, onView }: AlertRowProps) {
  const figures = alertFigures(alert)
  return (
    <li className="flex items-start gap-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <SeverityBadge severity={alert.severity} />
          <ViewedBadge viewed={alert.viewed} />
          <StateBadge alert={alert} now={now} />
          <time dateTime={alert.timestamp} className="text-xs text-muted">
            {formatMoment(new Date(alert.timestamp), now)}
          </time>
        </div>
        <h3 className="mt-2 font-medium wrap-anywhere">
          <ReportLink alert={alert} onView={onView} className={alertTitleClass}>
            <Breakable text={alert.title} />
          </ReportLink>
        </h3>
        <p className="mt-0.5 max-w-[90ch] text-sm wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
          <AlertMarkup markup={alert.description} />
        </p>
        {figures !== null && (
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm tabular-nums">
            <span>{figures}</span>
            <AlertChange alert={alert} />
          </p>
        )}
        {alert.action !== null && (
          <div className="mt-3">
            <FixLink {...alert.action} />
          </div>
        )}
      </div>
      <SearchConsoleLink
        alert={alert}
        onView={onView}
        label={`Open in Search Console: ${alert.title}`}
        className={iconButtonClass('-mt-2 -mr-2.5 text-muted!')}
      >
        <ExternalLink aria-hidden />
      </SearchConsoleLink>
    </li>
  )
}
