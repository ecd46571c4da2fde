import { useMemo } from 'react'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { Card } from '../../ui/Card.tsx'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import { Breakdown } from './Breakdown.tsx'
import { Coincidences } from './Coincidences.tsx'
import { Contributors } from './Contributors.tsx'
import { Deliveries } from './Deliveries.tsx'
import { Figures } from './Figures.tsx'
import { Findings } from './Findings.tsx'
import { Hours } from './Hours.tsx'
import { Life } from './Life.tsx'
import { reportChart } from './report-chart.ts'
import { ReportHeader } from './ReportHeader.tsx'

/** Everything that is known of one alert. */
export function ReportBody({ report, now }: { report: AlertReport; now: Date }) {
  const chart = useMemo(() => reportChart(report), [report])
  return (
    <article className="flex flex-col gap-5">
      <ReportHeader alert={report} now={now} />
      <Figures alert={report} />
      <Hours report={report} />
      {chart && (
        <Card>
          <AnnotatedChart property={report.target} metric={report.type} {...chart} />
        </Card>
      )}
      <Breakdown report={report} />
      {report.coincidences !== undefined && report.coincidences.length > 0 && <Coincidences coincidences={report.coincidences} />}
      {report.findings !== undefined && <Findings findings={report.findings} more={report.moreFindings ?? 0} />}
      {report.entity.kind !== 'connection' && !(report.breakdown?.by ?? []).some(({ items }) => items.length > 0) && (
        <Contributors report={report} />
      )}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Life report={report} now={now} />
        <Deliveries report={report} now={now} />
      </div>
    </article>
  )
}
