import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId } from 'react'
import { alertsQuery } from '../../api/alerts.ts'
import { useNow } from '../../lib/use-now.ts'
import { AlertCard } from '../../widgets/AlertCard.tsx'
import { mostSevere } from './most-severe.ts'

/** What asks for attention now: the most severe alerts that nobody has dealt with. Nothing while there are none. */
export function OpenAlerts({ property }: { property: string }) {
  const id = useId()
  const now = useNow()
  const { data: alerts = [], isPlaceholderData } = useQuery(alertsQuery(property, { state: 'open' }))
  const shown = mostSevere(alerts)
  if (shown.length === 0) return null
  return (
    <section
      aria-labelledby={id}
      aria-busy={isPlaceholderData}
      className={clsx('transition-opacity duration-150', isPlaceholderData && 'opacity-50')}
    >
      <h2 id={id} className="mb-3 text-base font-semibold">
        Needs attention
      </h2>
      <div className={clsx('grid grid-cols-1 gap-4 xl:gap-5', shown.length > 1 && 'xl:grid-cols-2')}>
        {shown.map((alert) => (
          <AlertCard key={alert.id} alert={alert} now={now} />
        ))}
      </div>
    </section>
  )
}
