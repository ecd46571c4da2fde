import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { MetricsRead, Period } from '../../../contract/metrics.ts'
import { type MetricName, metricNames } from '../../lib/metric.ts'
import { MetricCard, MetricCardSkeleton } from './MetricCard.tsx'
import { metricView } from './metric-view.ts'

type MetricCardsProps = {
  property: string
  metrics: MetricsRead
  outdated: boolean
  shown: readonly MetricName[]
  onShow: (shown: MetricName[]) => void
}

/**
 * The week's figures, and which of them the chart below shows. `outdated`: these are the previous property's figures, shown until the new
 * ones arrive.
 */
export function MetricCards({ property, metrics, outdated, shown, onShow }: MetricCardsProps) {
  const days = daysOf(metrics)
  const toggled = (name: MetricName) => metricNames.filter((each) => shown.includes(each) !== (each === name))
  return (
    <div aria-busy={outdated} className={clsx('transition-opacity duration-150', outdated && 'opacity-50')}>
      <Grid>
        {metricNames.map((name) => (
          <MetricCard
            key={name}
            property={property}
            name={name}
            view={metricView(metrics, name)}
            days={days}
            shown={shown.includes(name)}
            onToggle={toggled(name).length === 0 ? undefined : () => onShow(toggled(name))}
          />
        ))}
      </Grid>
    </div>
  )
}

function daysOf({ dates, current }: MetricsRead): Period | null {
  const [start, end] = [dates?.[0] ?? current?.start, dates?.at(-1) ?? current?.end]
  return start === undefined || end === undefined ? null : { start, end }
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
