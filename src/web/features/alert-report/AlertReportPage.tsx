import { useQuery } from '@tanstack/react-query'
import { ChevronRight, SearchX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useParams } from 'react-router'
import type { AlertReport } from '../../../contract/alerts/alerts.ts'
import { alertReportQuery } from '../../api/alerts.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { AlertReportBody } from './AlertReportBody.tsx'

export function AlertReportPage() {
  const { id = '' } = useParams()
  // Messages sent and other people's actions are refetched each time.
  const { data: report, error, refetch } = useQuery({ ...alertReportQuery(id), refetchOnMount: 'always' })
  const now = useNow()
  useViewed(report)
  return (
    <>
      <title>{`${report?.title ?? 'Alert report'} · Ranklark`}</title>
      <Breadcrumb />
      {report ? (
        <AlertReportBody key={report.id} report={report} now={now} />
      ) : error === null ? (
        <ReportLoading />
      ) : (
        // As tall as the window, like the content: the footer stays where it is.
        <div className="min-h-dvh">
          {isUnknown(error) ? <ReportUnknown /> : <ReportProblem error={error} onRetry={() => void refetch()} />}
        </div>
      )}
    </>
  )
}

/** Opening a report views its alert: reported once, so that a refusing server isn't asked forever. */
function useViewed(report: AlertReport | undefined): void {
  const { view } = useAlertActions()
  const said = useRef<string | null>(null)
  useEffect(() => {
    if (report === undefined || report.viewed || said.current === report.id) return
    said.current = report.id
    view([report.id])
  }, [report, view])
}

function Breadcrumb() {
  return (
    <nav aria-label="Breadcrumb" className="-mt-2 mb-2">
      <ol className="flex items-center gap-1.5 text-sm text-muted [&_svg]:size-3.5">
        <li>
          <Link to={paths.alerts} className="inline-flex h-10 items-center rounded-sm font-medium hover:text-text hover:underline">
            Active Alerts
          </Link>
        </li>
        <li aria-hidden>
          <ChevronRight />
        </li>
        <li aria-current="page">Report</li>
      </ol>
    </nav>
  )
}

/** The size of the content, so that little moves. */
function ReportLoading() {
  return (
    <div aria-busy className="flex flex-col gap-5">
      <output className="sr-only">Loading the report</output>
      <div>
        <Skeleton className="h-6 w-44" />
        <Skeleton className="mt-3 h-7 w-3/5" />
        <Skeleton className="mt-2 h-5 w-4/5" />
        <Skeleton className="mt-5 h-10 w-80 max-w-full lg:h-9" />
      </div>
      <Skeleton className="h-36" />
      <Skeleton className="h-109.5 sm:h-106.5" />
      <div className="grid gap-5 lg:grid-cols-2">
        <Skeleton className="h-60" />
        <Skeleton className="h-60" />
      </div>
    </div>
  )
}

/** A URL of no alert, or of somebody else's: the server doesn't say which. */
const isUnknown = (error: Error): boolean => error instanceof ApiFailure && (error.status === 404 || error.status === 400)

function ReportUnknown() {
  return (
    <Card>
      <h1 className="sr-only">Alert report</h1>
      <EmptyState
        icon={<SearchX aria-hidden />}
        title="Alert not found"
        actions={
          <>
            <Link to={paths.alerts} className={buttonClass('primary')}>
              Back to Active Alerts
            </Link>
            <Link to={paths.alertHistory} className={buttonClass('secondary')}>
              Alert History
            </Link>
          </>
        }
      >
        This alert doesn't exist or isn't yours. It may have been deleted with its property, or belong to another account.
      </EmptyState>
    </Card>
  )
}

function ReportProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Card>
      <h1 className="sr-only">Alert report</h1>
      <ErrorState
        title="The report could not be loaded"
        actions={
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {failureText(error)}
      </ErrorState>
    </Card>
  )
}
