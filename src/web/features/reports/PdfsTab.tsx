import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, FileText } from 'lucide-react'
import { counted } from '../../../core/words.ts'
import type { ReportRun } from '../../../contract/reports/reports.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { advancedReportingRefusal } from '../../../core/billing/entitlements.ts'
import { failureText } from '../../api/client.ts'
import { downloadRun, isUnderWay, reportRunsQuery } from '../../api/reports.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { periodTitle } from '../../widgets/report/copy.ts'
import { lockedWords } from './copy.ts'
import { ListFailure, ListLoading } from './ListStates.tsx'
import { RunProgress } from './RunProgress.tsx'

/** Recently created PDFs, manual and scheduled. */
export function PdfsTab() {
  const { plan } = useCurrentUser()
  const locked = advancedReportingRefusal(plan)
  const { data, error, refetch } = useQuery(reportRunsQuery(plan))
  if (error !== null) return <ListFailure what="your PDFs" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <ListLoading what="your PDFs" />
  return (
    <div className="flex flex-col gap-4">
      {locked !== null && <LockedFeature Icon={FileText} reason={locked} {...lockedWords.pdfs} />}
      {locked === null && data.length === 0 && (
        <Card>
          <EmptyState icon={<FileText aria-hidden />} title="No PDFs yet">
            PDFs you download from reports appear here, and so do scheduled ones.
          </EmptyState>
        </Card>
      )}
      {data.length > 0 && (
        <Card>
          <ul aria-label="PDFs" className="divide-y divide-line">
            {data.map((run) => (
              <li key={run.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0">
                <About run={run} />
                <Outcome run={run} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

function About({ run: { title, kind, period, recipients, createdAt, detail } }: { run: ReportRun }) {
  const now = useNow()
  const sent = recipients === 0 ? '' : `, sent to ${counted(recipients, 'recipient')}`
  return (
    <div className="min-w-0 grow basis-64">
      <p className="font-medium wrap-anywhere">
        {propertyName(title)}
        {period !== null && <span className="font-normal text-muted"> · {periodTitle(kind, period)}</span>}
      </p>
      <p className="text-sm text-muted">
        {formatMoment(new Date(createdAt), now)}
        {sent}
      </p>
      {detail !== null && <p className="mt-1 text-sm wrap-anywhere">{detail}</p>}
    </div>
  )
}

function Outcome({ run }: { run: ReportRun }) {
  const downloading = useMutation({
    mutationFn: () => downloadRun(run.id),
    onSuccess: ({ file, name }) => saveFile(file, name),
    onError: (error) => toast.error('Download Failed', failureText(error, "Couldn't download the PDF. Please try again.")),
  })
  if (isUnderWay(run)) return <RunProgress run={run} />
  if (run.state === 'failed') return <Badge tone="critical">Failed</Badge>
  return (
    <Button aria-label={`Download ${propertyName(run.title)}`} disabled={downloading.isPending} onClick={() => downloading.mutate()}>
      <Download aria-hidden />
      {downloading.isPending ? 'Downloading...' : 'Download'}
    </Button>
  )
}
