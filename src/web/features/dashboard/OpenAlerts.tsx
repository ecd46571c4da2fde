import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { BellRing } from 'lucide-react'
import { useId, useRef } from 'react'
import { Link } from 'react-router'
import { alertsQuery } from '../../api/alerts.ts'
import { formatCount } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AlertCard } from '../../widgets/AlertCard.tsx'
import { AlertsProblem } from '../../widgets/LoadProblem.tsx'
import { RulesAtWork } from '../../widgets/RulesAtWork.tsx'
import { useKeptFocus } from '../../widgets/alert-list-focus.ts'
import { mostSevere } from './most-severe.ts'

/** The most severe unhandled alerts, or what is watched while there are none (SPEC §2, OPEN-POINTS 27). */
export function OpenAlerts({ property }: { property: string }) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  const now = useNow()
  const { data: alerts, error, isPlaceholderData, refetch } = useQuery(alertsQuery(property, { state: 'open' }))
  const shown = mostSevere(alerts ?? [])
  return (
    <section
      ref={section}
      aria-labelledby={id}
      aria-busy={isPlaceholderData}
      className={clsx('transition-opacity duration-150', isPlaceholderData && 'opacity-50')}
    >
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} tabIndex={-1} className="text-base font-semibold">
          Open alerts
        </h2>
        <Link to={paths.alerts} className="control inline-flex items-center font-medium text-brand hover:underline">
          {alerts !== undefined && alerts.length > shown.length ? `All active alerts (${formatCount(alerts.length)})` : 'All active alerts'}
        </Link>
      </div>
      {error !== null && alerts === undefined ? (
        <Card>
          <AlertsProblem property={property} error={error} onRetry={() => void refetch()} />
        </Card>
      ) : alerts === undefined ? (
        <div aria-busy>
          <output className="sr-only">Loading alerts</output>
          <Skeleton className="h-24 rounded-card!" />
        </div>
      ) : shown.length === 0 ? (
        <Card className="flex items-start gap-4">
          <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-brand-soft text-brand">
            <BellRing aria-hidden className="size-5" />
          </span>
          <div className="min-w-0 text-muted">
            <h3 className="font-semibold text-text">{alerts.length === 0 ? 'No open alerts' : 'Nothing needs your attention'}</h3>
            {alerts.length === 0 ? (
              <RulesAtWork property={property} />
            ) : (
              <p>
                {alerts.length === 1 ? 'The open alert is' : `All ${formatCount(alerts.length)} open alerts are`} acknowledged or snoozed.
              </p>
            )}
          </div>
        </Card>
      ) : (
        <div className={clsx('grid grid-cols-1 gap-4 xl:gap-5', shown.length > 1 && 'xl:grid-cols-2')}>
          {shown.map((alert) => (
            <AlertCard key={alert.id} alert={alert} now={now} />
          ))}
        </div>
      )}
    </section>
  )
}
