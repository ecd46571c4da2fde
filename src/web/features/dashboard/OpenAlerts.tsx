import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId, useRef } from 'react'
import { Link } from 'react-router'
import { alertsQuery } from '../../api/alerts.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { AlertCard } from '../../widgets/AlertCard.tsx'
import { useKeptFocus } from '../../widgets/use-kept-focus.ts'
import { mostSevere } from './most-severe.ts'

/** The most severe alerts that nobody has dealt with; nothing at all while there are none (SPEC §2). */
export function OpenAlerts({ property }: { property: string }) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  const now = useNow()
  const { data: alerts = [], isPlaceholderData } = useQuery(alertsQuery(property, { state: 'open' }))
  const shown = mostSevere(alerts)
  if (shown.length === 0) return null
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
          All active alerts
        </Link>
      </div>
      <div className={clsx('grid grid-cols-1 gap-4 xl:gap-5', shown.length > 1 && 'xl:grid-cols-2')}>
        {shown.map((alert) => (
          <AlertCard key={alert.id} alert={alert} now={now} />
        ))}
      </div>
    </section>
  )
}
