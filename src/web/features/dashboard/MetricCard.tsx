import { Table2 } from 'lucide-react'
import { useId } from 'react'
import { SeriesTable } from '../../charts/SeriesTable.tsx'
import { Sparkline } from '../../charts/Sparkline.tsx'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ChangeChip } from '../../ui/ChangeChip.tsx'
import type { MetricView } from './metric-view.ts'

export function MetricCard({ name, view }: { name: MetricName; view: MetricView }) {
  const id = useId()
  const label = metricLabels[name]
  const format = (value: number) => formatMetric(name, value)
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="flex h-5 items-center justify-between">
          <h2 id={id} className="font-medium text-muted">
            {label}
          </h2>
          <Popover
            label={`Show ${label} as table`}
            title={`${label} by day`}
            triggerClass={iconButtonClass('-mr-2.5 text-muted!')}
            trigger={<Table2 aria-hidden />}
          >
            <SeriesTable caption={`${label} by day`} unit={label} points={view.points} format={format} />
          </Popover>
        </div>
        <p className="mt-2 text-figure font-semibold tracking-tight tabular-nums">{format(view.value)}</p>
        <div className="mt-1.5 flex h-6 items-center gap-1.5 text-xs whitespace-nowrap text-muted">
          <Change name={name} view={view} />
        </div>
        <div className="mt-4">
          <Sparkline label={`${label} by day`} points={view.points} format={format} inverted={name === 'position'} />
        </div>
      </Card>
    </section>
  )
}

function Change({ name, view: { change, base } }: { name: MetricName; view: MetricView }) {
  if (base === null) return 'no earlier data'
  if (change === null) return `${base.values} vs previous 7 days`
  return (
    <>
      <ChangeChip metric={name} percent={change} base={base} />
      <span aria-hidden className="truncate">
        vs previous 7 days
      </span>
    </>
  )
}

/** As large as a card, so that nothing moves when the figures come. */
export function MetricCardSkeleton() {
  return (
    <Card>
      <Skeleton className="h-5 w-20" />
      <Skeleton className="mt-2 h-8.5 w-28" />
      <Skeleton className="mt-1.5 h-6 w-40" />
      <Skeleton className="mt-4 mb-5.5 h-12 w-full" />
    </Card>
  )
}
