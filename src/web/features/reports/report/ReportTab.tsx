import { useQuery } from '@tanstack/react-query'
import { FileChartColumn } from 'lucide-react'
import { advancedReportingRefusal } from '../../../../core/billing/entitlements.ts'
import { periodicReportQuery, reportPeriodsQuery } from '../../../api/reports.ts'
import type { View } from '../../../lib/address-view.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { Card } from '../../../ui/Card.tsx'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { LoadProblem } from '../../../widgets/LoadProblem.tsx'
import { reportTitle } from '../../../widgets/report/report-words.ts'
import { ReportBody } from '../../../widgets/report/ReportBody.tsx'
import { ReportLoading } from '../../../widgets/report/ReportLoading.tsx'
import { lockedWords } from '../locked-words.ts'
import { LockedFeature } from '../../../widgets/LockedFeature.tsx'
import type { reportsView } from '../reports-view.ts'
import { NoReport } from './NoReport.tsx'
import { ReportBar } from './ReportBar.tsx'
import { useLightOnPaper } from './use-light-on-paper.ts'

type ReportsView = View<typeof reportsView>
type ReportTabProps = { property: string; view: ReportsView; show: (change: Partial<ReportsView>) => void }

/** The selected property over one week or month. */
export function ReportTab({ property, view, show }: ReportTabProps) {
  const { plan } = useCurrentUser()
  const locked = advancedReportingRefusal(plan)
  const kind = locked === null ? view.kind : 'month'
  const periods = useQuery(reportPeriodsQuery(property, kind))
  // Another property may not have the one in the address.
  const start = periods.data?.find((each) => each.start === view.start)?.start
  const report = useQuery({
    ...periodicReportQuery(property, { kind, start, plan }),
    enabled: view.start === '' || periods.data !== undefined,
  })
  useLightOnPaper()

  const error = periods.error ?? report.error
  if (error !== null) {
    return (
      <Card>
        <LoadProblem
          what="the report"
          property={property}
          error={error}
          onRetry={() => {
            for (const query of [periods, report]) if (query.error !== null) void query.refetch()
          }}
        />
      </Card>
    )
  }
  const bar = {
    property,
    kind,
    locked,
    periods: periods.data ?? [],
    onKind: (chosen: typeof kind) => show({ kind: chosen, start: '' }),
    // The latest one goes without saying, so that the address stays true next month.
    onStart: (chosen: string) => show({ start: chosen === periods.data?.[0]?.start ? '' : chosen }),
  }
  if (report.data === undefined || periods.data === undefined) {
    return (
      <>
        <ReportBar {...bar} start={start ?? null} />
        <ReportLoading />
      </>
    )
  }
  if (report.data === null || periods.data.length === 0) {
    return (
      <>
        <ReportBar {...bar} start={null} />
        <NoReport property={property} kind={kind} />
        <WholeReport locked={locked} />
      </>
    )
  }
  const { data } = report
  return (
    <>
      <ReportBar {...bar} start={data.period.start} />
      <Dimmed when={report.isPlaceholderData}>
        <h2 className="text-title font-semibold">{reportTitle(data.kind, data.period)}</h2>
        <p className="mb-1 wrap-anywhere">{data.property}</p>
        <ReportBody report={data} isOwn />
      </Dimmed>
      <WholeReport locked={data.advancedLocked} />
    </>
  )
}

/** What a report holds on other plans. */
function WholeReport({ locked }: { locked: string | null }) {
  return (
    locked !== null && (
      <div className="mt-4 xl:mt-5">
        <LockedFeature Icon={FileChartColumn} reason={locked} {...lockedWords.report} />
      </div>
    )
  )
}
