import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { alertReportQuery } from '../../api/alerts.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Breadcrumb } from './Breadcrumb.tsx'
import { isUnknown, ReportProblem, ReportUnknown } from './ReportProblem.tsx'
import { ReportBody } from './ReportBody.tsx'
import { ReportLoading } from './ReportLoading.tsx'
import { useViewed } from './use-viewed.ts'

export function AlertReportPage() {
  const { id = '' } = useParams()
  // What was sent, and who else did something, is asked anew each time.
  const { data: report, error, refetch } = useQuery({ ...alertReportQuery(id), refetchOnMount: 'always' })
  const now = useNow()
  useViewed(report)
  return (
    <>
      <title>{`${report?.title ?? 'Alert report'} · Ranklark`}</title>
      <Breadcrumb />
      {report ? (
        <ReportBody key={report.id} report={report} now={now} />
      ) : error === null ? (
        <ReportLoading />
      ) : isUnknown(error) ? (
        <ReportUnknown />
      ) : (
        <ReportProblem error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}
