import { useMemo, useState } from 'react'
import { generatePath, Link } from 'react-router'
import type { RowFigures } from '../../../contract/figures.ts'
import type { Period } from '../../../contract/metrics.ts'
import type { PeriodicReport, ReportRow } from '../../../contract/reports/periodic.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { coverageWords, extraClicks, type ListOf, notComparedWords, notStoredWords } from '../../../core/reports/copy.ts'
import { TimeSeriesChart } from '../../charts/time-series/TimeSeriesChart.tsx'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { formatCount, formatMetric } from '../../lib/format.ts'
import { knownFigure, type MetricName, metricNames } from '../../lib/metric.ts'
import { paths } from '../../paths.ts'
import { SeverityBadge } from '../../ui/alert/AlertBadges.tsx'
import { Breakable } from '../../ui/alert/Breakable.tsx'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ComparedDays, ComparedFigure } from '../analytics/ComparedFigure.tsx'
import { detailChart } from '../analytics/detail/detail-chart.ts'
import { figureColumn } from '../analytics/figure-column.tsx'
import { AnnotatedChart } from '../annotations/AnnotatedChart.tsx'
import { eventsWithin, marksOf } from '../annotations/marks.ts'
import type { DataColumn, NameColumn } from '../table/columns.ts'
import { PlainTable } from '../table/PlainTable.tsx'
import { MovedList } from './MovedList.tsx'
import { outcomeOf } from './outcome.ts'
import { ReportName } from './ReportName.tsx'
import { type Level, ReportSection } from './ReportSection.tsx'
import { ReportTotals } from './ReportTotals.tsx'

type ReportBodyProps = {
  report: PeriodicReport
  /** Its owner can go further: to panels, alerts and notes. Others only read. */
  isOwn: boolean
  level?: Level
}

const pairClass = 'grid gap-4 lg:grid-cols-2 xl:gap-5 print:grid-cols-1'

/** One property over one week or month, without what the plan doesn't include. */
export function ReportBody({ report, isOwn, level = 2 }: ReportBodyProps) {
  const [metric, setMetric] = useState<MetricName>('clicks')
  const { advanced } = report
  const moved = (what: ListOf) => ({ period: report.period, notCompared: notComparedWords(what, report), isOwn, level })
  return (
    <ComparedDays of={{ current: report.period, previous: report.previous }}>
      <div className="flex flex-col gap-4 xl:gap-5">
        <p className="text-muted">{daysOf(report)}</p>
        <ReportTotals report={report} metric={metric} onMetric={setMetric} />
        <ReportTrend report={report} metric={metric} isOwn={isOwn} />
        <TopList report={report} what="pages" isOwn={isOwn} level={level} />
        {advanced && (
          <div className={pairClass}>
            <MovedList kind="page" direction="rising" rows={advanced.pages.rising} {...moved('pages')} />
            <MovedList kind="page" direction="falling" rows={advanced.pages.falling} {...moved('pages')} />
          </div>
        )}
        <TopList report={report} what="keywords" isOwn={isOwn} level={level} />
        {advanced && (
          <>
            <div className={pairClass}>
              <MovedList kind="keyword" direction="rising" rows={advanced.keywords.rising} {...moved('keywords')} />
              <MovedList kind="keyword" direction="falling" rows={advanced.keywords.falling} {...moved('keywords')} />
            </div>
            <ReportOpportunities report={report} opportunities={advanced.opportunities} isOwn={isOwn} level={level} />
            <ReportAlerts alerts={advanced.alerts} alertCount={advanced.alertCount} isOwn={isOwn} level={level} />
          </>
        )}
      </div>
    </ComparedDays>
  )
}

/** The report's days and the compared ones. */
function daysOf({ period, previous, lastYear, completeThrough }: PeriodicReport): string {
  return `${formatPeriod(period, true)}, compared with ${formatPeriod(previous, true)} and ${formatPeriod(lastYear, true)}. Data is complete through ${formatDay(completeThrough, true)}.`
}

type ReportTrendProps = { report: PeriodicReport; metric: MetricName; isOwn: boolean }

/** One figure by day over the previous period's, with events; its owner can write notes. */
function ReportTrend({ report, metric, isOwn }: ReportTrendProps) {
  const chart = useMemo(() => chartOf(report, metric), [report, metric])
  const marks = useMemo(() => marksOf(eventsWithin(report.annotations, report.period), report.period, metric), [report, metric])
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
  return detailChart(metric, {
    current: period,
    previous: isCompared ? previous : null,
    completeThrough,
    days,
    previousDays: isCompared ? previousDays : [],
    gaps: [],
    previousGaps: [],
  })
}

type Opportunity = NonNullable<PeriodicReport['advanced']>['opportunities'][number]
type ReportOpportunitiesProps = { report: PeriodicReport; opportunities: readonly Opportunity[]; isOwn: boolean; level: Level }

const opportunityColumns: DataColumn<Opportunity>[] = [
  { id: 'position', label: 'Position', width: 96, cell: ({ position }) => formatMetric('position', position) },
  {
    id: 'score',
    label: 'Extra clicks per week',
    width: 168,
    cell: ({ opportunityScore }) => <span className="font-semibold">{extraClicks(opportunityScore)}</span>,
  },
]

const opportunityName = (period: Period, isOwn: boolean): NameColumn<Opportunity> => ({
  label: 'Keyword and page',
  value: ({ query }) => query,
  compact: ({ query }) => <ReportName kind="keyword" name={query} period={period} isOwn={isOwn} />,
  cell: ({ query, page }) => (
    <span className="flex flex-col gap-0.5">
      <ReportName kind="keyword" name={query} period={period} isOwn={isOwn} />
      {page !== '' && <bdi className="wrap-anywhere text-muted">{pagePath(page)}</bdi>}
    </span>
  ),
})

/** Keywords with room to improve. */
function ReportOpportunities({ report, opportunities, isOwn, level }: ReportOpportunitiesProps) {
  return (
    <ReportSection level={level} title="Opportunities" description="Keywords that could gain clicks by reaching position 3 (estimated).">
      {opportunities.length === 0 ? (
        <p className="text-muted">{notStoredWords('keywords', report.keywords) ?? 'No keywords with estimated gains.'}</p>
      ) : (
        <PlainTable
          caption="Opportunities"
          rows={opportunities}
          keyOf={({ query }) => query}
          name={opportunityName(report.period, isOwn)}
          columns={opportunityColumns}
        />
      )}
    </ReportSection>
  )
}

type TopListProps = { report: PeriodicReport; what: ListOf; isOwn: boolean; level: Level }

const titles = { pages: 'Top pages', keywords: 'Top keywords' } as const

/** Pages or keywords with the most clicks. */
function TopList({ report, what, isOwn, level }: TopListProps) {
  const { top } = report[what]
  return (
    <ReportSection level={level} title={titles[what]} description={coverageWords(what, report[what])}>
      {top.length > 0 && (
        <PlainTable
          caption={titles[what]}
          rows={top}
          keyOf={({ name }) => name}
          name={topName(what, report.period, isOwn)}
          columns={topColumns}
        />
      )}
    </ReportSection>
  )
}

/** A row that wasn't shown before is new; without a comparison, nothing is. */
const topColumns = metricNames.map((metric): DataColumn<ReportRow> => ({
  ...figureColumn<ReportRow>({ metric, now: (row) => row, keepsRoom: true }),
  cell: (row) => <ComparedFigure metric={metric} now={knownFigure(metric, row)} before={before(row)} colorBy="outcome" />,
}))

const topName = (what: TopListProps['what'], period: Period, isOwn: boolean): NameColumn<ReportRow> => ({
  label: what === 'pages' ? 'Page' : 'Keyword',
  value: ({ name }) => name,
  cell: ({ name }) => <ReportName kind={what === 'pages' ? 'page' : 'keyword'} name={name} period={period} isOwn={isOwn} />,
})

/** Undefined without a comparison; null if the row wasn't shown before: then it is new. */
function before({ previous }: ReportRow): RowFigures | null | undefined {
  if (previous === null) return undefined
  return previous.impressions === 0 ? null : previous
}

/** The size of a report, so that little moves. */
export function ReportLoading() {
  return (
    <div aria-busy className="flex flex-col gap-4 xl:gap-5">
      <output className="sr-only">Loading the report</output>
      <Skeleton className="h-5 w-4/5" />
      <div className="grid grid-cols-1 gap-3 xs:grid-cols-2 xl:grid-cols-4">
        {['clicks', 'impressions', 'ctr', 'position'].map((figure) => (
          <Skeleton key={figure} className="h-37 rounded-card!" />
        ))}
      </div>
      <Skeleton className="h-105.5 rounded-card! md:h-96.5" />
      <Skeleton className="h-160 rounded-card!" />
    </div>
  )
}

type Advanced = NonNullable<PeriodicReport['advanced']>
type ReportAlertsProps = Pick<Advanced, 'alerts' | 'alertCount'> & { isOwn: boolean; level: Level }

/** Alerts in the period, and their state now. */
function ReportAlerts({ alerts, alertCount, isOwn, level }: ReportAlertsProps) {
  const description =
    alerts.length < alertCount ? `The latest ${formatCount(alerts.length)} of ${formatCount(alertCount)}, and how they ended.` : undefined
  return (
    <ReportSection level={level} title="Alerts" description={description}>
      {alerts.length === 0 ? (
        <p className="text-muted">No alerts for this period.</p>
      ) : (
        <ul aria-label="Alerts" className="divide-y divide-line text-sm">
          {alerts.map((alert) => (
            <li key={alert.id} className="flex flex-wrap items-start gap-x-4 gap-y-1.5 py-3 first:pt-0 last:pb-0 print:break-inside-avoid">
              <span className="w-24 shrink-0">
                <SeverityBadge severity={alert.severity} />
              </span>
              <span className="min-w-0 grow basis-60 wrap-anywhere">
                {isOwn ? (
                  <Link
                    to={generatePath(paths.alertReport, { id: alert.id })}
                    // Above its neighbors: the touch target is taller than the line, and overlaps theirs.
                    className="relative -my-2.5 inline-block py-2.5 font-medium text-brand hover:underline lg:pointer-fine:my-0 lg:pointer-fine:py-0 print:text-text"
                  >
                    <Breakable text={alert.title} />
                  </Link>
                ) : (
                  <span className="font-medium">
                    <Breakable text={alert.title} />
                  </span>
                )}
                {alert.why !== null && <span className="mt-1 block text-muted">{alert.why}</span>}
              </span>
              <span className="text-muted">
                {formatDay(alert.day ?? alert.openedAt.slice(0, 10), true)} · {outcomeOf(alert)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </ReportSection>
  )
}
