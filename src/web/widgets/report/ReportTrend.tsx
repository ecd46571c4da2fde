import { useMemo } from 'react'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { TimeSeriesChart } from '../../charts/time-series/TimeSeriesChart.tsx'
import type { MetricName } from '../../lib/metric.ts'
import { Card } from '../../ui/Card.tsx'
import { detailChart } from '../analytics/detail/detail-chart.ts'
import { AnnotatedChart } from '../annotations/AnnotatedChart.tsx'
import { marksOf, within } from '../annotations/marks.ts'

type ReportTrendProps = { report: PeriodicReport; metric: MetricName; isOwn: boolean }

/** One figure by day over the previous period's, with events; its owner can write notes. */
export function ReportTrend({ report, metric, isOwn }: ReportTrendProps) {
  const chart = useMemo(() => chartOf(report, metric), [report, metric])
  const marks = useMemo(() => marksOf(within(report.annotations, report.period), report.period, metric), [report, metric])
  return (
    <Card className="print:break-inside-avoid">
      {isOwn ? (
        <AnnotatedChart property={report.property} metric={metric} {...chart} />
      ) : (
        <TimeSeriesChart metric={metric} marks={marks} {...chart} />
      )}
    </Card>
  )
}

/** Every day of the report is complete; the previous period's days are either all stored or nothing is compared. */
function chartOf({ period, previous, previousTotals, completeThrough, days, previousDays }: PeriodicReport, metric: MetricName) {
  const isCompared = previousTotals !== null
  return detailChart(
    metric,
    { current: period, previous: isCompared ? previous : null, completeThrough, days, previousDays: isCompared ? previousDays : [] },
    { currentFrom: period.start, previousFrom: previous.start },
  )
}
