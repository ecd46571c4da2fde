import { useQuery } from '@tanstack/react-query'
import { CalendarClock, FileChartColumn, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Period } from '../../../contract/metrics.ts'
import type { ReportKind } from '../../../contract/reports/periodic.ts'
import { advancedReportingRefusal } from '../../../core/billing/entitlements.ts'
import { periodicReportQuery, reportPeriodsQuery } from '../../api/reports.ts'
import { syncQuery } from '../../api/sync.ts'
import type { View } from '../../lib/address-view.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { PropertyName } from '../../widgets/PropertyName.tsx'
import { periodTitle, reportTitle } from '../../widgets/report/copy.ts'
import { ReportBody, ReportLoading } from '../../widgets/report/ReportBody.tsx'
import { lockedWords, reportKinds } from './copy.ts'
import { firstReport } from './first-report.ts'
import { PdfMenu, usePdf } from './PdfMenu.tsx'
import { ReportSegment } from './ReportSegment.tsx'
import { RunProgress } from './RunProgress.tsx'
import { ShareDialog } from './ShareDialog.tsx'

type ReportsView = View<typeof reportsView>
type ReportTabProps = { property: string; view: ReportsView; show: (change: Partial<ReportsView>) => void }

/** Reports on the selected property over one week or month. */
export function ReportTab({ property, view, show }: ReportTabProps) {
  const { plan } = useCurrentUser()
  const locked = advancedReportingRefusal(plan)
  const kind = locked === null ? view.kind : 'month'
  const periods = useQuery(reportPeriodsQuery(property, kind))
  // Another property may not have the period in the URL.
  const start = periods.data?.find((each) => each.start === view.start)?.start
  const report = useQuery({
    ...periodicReportQuery(property, { kind, start, segment: view.segment === '' ? undefined : view.segment, plan }),
    enabled: view.start === '' || periods.data !== undefined,
  })
  useLightOnPaper()

  const bar = {
    property,
    kind,
    locked,
    periods: periods.data ?? [],
    segment: view.segment,
    onSegment: (segment: string) => show({ segment }),
    onKind: (chosen: typeof kind) => show({ kind: chosen, start: '' }),
    // The latest one is the default, so that the URL stays valid next month.
    onStart: (chosen: string) => show({ start: chosen === periods.data?.[0]?.start ? '' : chosen }),
  }
  const error = periods.error ?? report.error
  if (error !== null) {
    return (
      <>
        {view.segment !== '' && <ReportBar {...bar} start={null} />}
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
      </>
    )
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
        <p className="mb-1">
          <PropertyName name={data.property} />
          {data.segment !== undefined && <span className="ml-2 wrap-anywhere text-muted">Segment: {data.segment}</span>}
        </p>
        <ReportBody report={data} isOwn />
      </Dimmed>
      <WholeReport locked={data.advancedLocked} />
    </>
  )
}

/** What a report includes on other plans. */
function WholeReport({ locked }: { locked: string | null }) {
  return (
    locked !== null && (
      <div className="mt-4 xl:mt-5">
        <LockedFeature Icon={FileChartColumn} reason={locked} {...lockedWords.report} />
      </div>
    )
  )
}

/** Replaces the report while no week or month is complete: says when the first one will be. */
function NoReport({ property, kind }: { property: string; kind: ReportKind }) {
  const { data: status } = useQuery(syncQuery(property))
  const now = useNow()
  return (
    <Card>
      <EmptyState icon={<CalendarClock aria-hidden />} title={`No complete ${kind} yet`}>
        <p className="min-h-10">{status !== undefined && firstReport(kind, status, now)}</p>
      </EmptyState>
    </Card>
  )
}

/** Paper is white: printing from the dark theme would leave light text on it. Only while this is on screen. */
function useLightOnPaper(): void {
  useEffect(() => {
    const paper = window.matchMedia('print')
    let wasDark = false
    const dress = () => {
      const { classList } = document.documentElement
      if (paper.matches) wasDark = classList.contains('dark')
      if (wasDark) {
        classList.toggle('dark', !paper.matches)
        classList.toggle('light', paper.matches)
      }
    }
    paper.addEventListener('change', dress)
    return () => paper.removeEventListener('change', dress)
  }, [])
}

/** This screen's URL parameters. `start`: the first day of the week or month; the latest one if empty. */
export const reportsView = {
  tab: ['report', 'schedules', 'clients', 'brand', 'links', 'pdfs'],
  kind: ['month', 'week'],
  start: 'text',
  segment: 'text',
} as const
export type ReportsTab = (typeof reportsView)['tab'][number]

type ReportBarProps = {
  property: string
  kind: ReportKind
  /** Why there is only the monthly summary; null with a plan that has full reports. */
  locked: string | null
  periods: readonly Period[]
  /** The report on screen; null while there is none. */
  start: string | null
  /** The segment it is limited to; empty for none. */
  segment: string
  onSegment: (segment: string) => void
  onKind: (kind: ReportKind) => void
  onStart: (start: string) => void
}

/** Selects the report, and offers what can be made of it. */
function ReportBar({ property, kind, locked, periods, start, segment, onSegment, onKind, onStart }: ReportBarProps) {
  const [sharing, setSharing] = useState(false)
  const pdf = usePdf()
  const limited = segment === '' ? {} : { segment }
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 print:hidden">
      <div className="flex flex-wrap items-center gap-2">
        {locked === null && <Segments label="Report type" choices={reportKinds} value={kind} onChange={onKind} />}
        {periods.length > 0 && (
          <div className="w-52">
            <Select
              label={kind === 'month' ? 'Report month' : 'Report week'}
              hideLabel
              value={start}
              placeholder=""
              choices={periods.map((each) => ({ value: each.start, label: periodTitle(kind, each) }))}
              onChange={onStart}
            />
          </div>
        )}
        {periods.length > 0 && <ReportSegment hideLabel value={segment} onChange={onSegment} />}
      </div>
      {locked === null && start !== null && (
        <div className="flex flex-wrap items-center gap-2">
          {pdf.isMaking ? (
            <RunProgress run={pdf.run} />
          ) : (
            <PdfMenu onChoose={(paper) => pdf.make({ subject: { property }, ...limited, kind, paper, start })} />
          )}
          <Button onClick={() => setSharing(true)}>
            <Share2 aria-hidden />
            Share link
          </Button>
          <ShareDialog
            open={sharing}
            onOpenChange={setSharing}
            title={property}
            subject={{ property }}
            report={{ ...limited, kind, start }}
          />
        </div>
      )}
    </div>
  )
}
