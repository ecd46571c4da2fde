import { useState } from 'react'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { type ListOf, notComparedWords } from '../../../core/reports/copy.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import type { MetricName } from '../../lib/metric.ts'
import { ComparedDays } from '../analytics/ComparedDays.tsx'
import { MovedList } from './MovedList.tsx'
import { ReportAlerts } from './ReportAlerts.tsx'
import { ReportOpportunities } from './ReportOpportunities.tsx'
import type { Level } from './ReportSection.tsx'
import { ReportTotals } from './ReportTotals.tsx'
import { ReportTrend } from './ReportTrend.tsx'
import { TopList } from './TopList.tsx'

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
  const moved = (what: ListOf) => ({ reportKind: report.kind, notCompared: notComparedWords(what, report), isOwn, level })
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
