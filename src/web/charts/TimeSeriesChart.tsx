import { clsx } from 'clsx'
import { Table2 } from 'lucide-react'
import { useId } from 'react'
import type { MetricName } from '../lib/metric.ts'
import { iconButtonClass } from '../ui/Button.tsx'
import { Popover } from '../ui/Popover.tsx'
import type { ChartBand, ChartMark, ChartSeries } from './chart-series.ts'
import { DaysTable } from './DaysTable.tsx'
import { directLabelsFrom, heightOf } from './time-series-layout.ts'
import { TimeSeriesPlot } from './TimeSeriesPlot.tsx'
import { useWidth } from './use-width.ts'

type TimeSeriesChartProps = {
  /** The question that the chart answers. */
  title: string
  /** The answer in a sentence, for those who do not see it. */
  summary: string
  metric: MetricName
  /** The first is what the chart is about, the others what it is compared with. */
  series: readonly ChartSeries[]
  bands?: readonly ChartBand[]
  marks?: readonly ChartMark[]
}

const noBands: readonly ChartBand[] = []
const noMarks: readonly ChartMark[] = []

/** A figure day by day, with times shaded and events marked: to the pointer, the keyboard and screen readers, and as a table. */
export function TimeSeriesChart({ title, summary, metric, series, bands = noBands, marks = noMarks }: TimeSeriesChartProps) {
  const id = useId()
  const [ref, width] = useWidth<HTMLDivElement>()
  const hasKey = series.length > 1 && width < directLabelsFrom
  return (
    <figure aria-labelledby={id}>
      <figcaption className="flex min-h-7.5 items-start justify-between gap-3">
        <div>
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          <p className="sr-only">{summary}</p>
        </div>
        <Popover
          label={`Show as table: ${title}`}
          title={title}
          triggerClass={iconButtonClass('-mt-2.5 -mr-2.5 shrink-0 text-muted!')}
          trigger={<Table2 aria-hidden />}
        >
          <DaysTable caption={title} metric={metric} series={series} />
        </Popover>
      </figcaption>
      {series.length > 1 && (
        <div aria-hidden className={clsx('mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted', !hasKey && 'hidden')}>
          {series.map(({ label, muted = false }) => (
            <span key={label} className="inline-flex items-center gap-2">
              <span className={clsx('w-5 border-t-2', muted ? 'border-dashed border-muted' : 'border-brand')} />
              {label}
            </span>
          ))}
        </div>
      )}
      <div ref={ref} className="relative mt-1" style={{ height: heightOf(bands.length, marks.length > 0) }}>
        <TimeSeriesPlot label={title} metric={metric} series={series} bands={bands} marks={marks} width={width} />
      </div>
    </figure>
  )
}
