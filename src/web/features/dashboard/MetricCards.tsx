import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Metrics } from '../../../contract/metrics.ts'
import { metricNames } from '../../lib/metric.ts'
import { MetricCard, MetricCardSkeleton } from './MetricCard.tsx'
import { metricView } from './metric-view.ts'

/** `outdated`: these are the figures of the property before, still there until the new ones are. */
export function MetricCards({ metrics, outdated }: { metrics: Metrics; outdated: boolean }) {
  return (
    <div aria-busy={outdated} className={clsx('transition-opacity duration-150', outdated && 'opacity-50')}>
      <Grid>
        {metricNames.map((name) => (
          <MetricCard key={name} name={name} view={metricView(metrics, name)} />
        ))}
      </Grid>
    </div>
  )
}

export function MetricCardsLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading metrics</output>
      <Grid>
        {metricNames.map((name) => (
          <MetricCardSkeleton key={name} />
        ))}
      </Grid>
    </div>
  )
}

function Grid({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4 xl:gap-5">{children}</div>
}
