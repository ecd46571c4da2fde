import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, ExternalLink, FileText, Link2, Unlink } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { ReportRun, ReportShare } from '../../../contract/reports/reports.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { advancedReportingRefusal } from '../../../core/billing/entitlements.ts'
import { counted } from '../../../core/words.ts'
import { failureText } from '../../api/client.ts'
import { downloadRun, isRunUnderWay, reportRunsQuery, reportSharesQuery } from '../../api/reports.ts'
import { formatMoment, formatUntil } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyScreen.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ConfirmButton } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { DetailPanel } from '../../widgets/analytics/detail/DetailPanel.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { periodTitle, reportTitle } from '../../widgets/report/copy.ts'
import { ReportBrandTab } from './ReportBrandTab.tsx'
import { ClientsTab } from './ClientsTab.tsx'
import { lockedWords } from './copy.ts'
import { useRemove } from './DeleteButton.tsx'
import { ListFailure, ListLoading } from './ListStates.tsx'
import { type ReportsTab, reportsView, ReportTab } from './ReportTab.tsx'
import { RunProgress } from './RunProgress.tsx'
import { SchedulesTab } from './schedules/SchedulesTab.tsx'

const labels: Record<ReportsTab, string> = {
  report: 'Report',
  schedules: 'Schedules',
  clients: 'Clients',
  brand: 'Brand',
  links: 'Links',
  pdfs: 'PDFs',
}

export function ReportsPage() {
  const { selectedProperty } = useCurrentUser()
  const [view, show] = useView(reportsView)
  const contents: Record<ReportsTab, ReactNode> = {
    report:
      selectedProperty === null ? (
        <PropertyRequired>Select a property to see its weekly and monthly reports.</PropertyRequired>
      ) : (
        <ReportTab property={selectedProperty} view={view} show={show} />
      ),
    schedules: <SchedulesTab />,
    clients: <ClientsTab />,
    brand: <ReportBrandTab />,
    links: <LinksTab />,
    pdfs: <PdfsTab />,
  }
  return (
    <>
      <title>Reports · Ranklark</title>
      <div className="mb-3 min-w-0 print:hidden">
        <h1 className="text-title font-semibold">Reports</h1>
        <p className="text-muted">Weekly and monthly reports on screen, as PDFs or by email.</p>
      </div>
      <Tabs
        label="Reports"
        tabs={reportsView.tab.map((value) => ({ value, label: labels[value], content: contents[value] }))}
        value={view.tab}
        onChange={(chosen) => show({ tab: reportsView.tab.find((each) => each === chosen) ?? view.tab })}
      />
      {selectedProperty !== null && <DetailPanel property={selectedProperty} />}
    </>
  )
}

/** Links to reports that work, or did until recently. */
function LinksTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportSharesQuery(plan))
  if (error !== null) return <ListFailure what="your links" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <ListLoading what="your links" />
  const { locked, shares } = data
  return (
    <div className="flex flex-col gap-4">
      {locked !== null && <LockedFeature Icon={Link2} reason={locked} {...lockedWords.links} />}
      {locked === null && shares.length === 0 && (
        <Card>
          <EmptyState icon={<Link2 aria-hidden />} title="No links yet">
            Use “Share link” on a report or client to share it with people who have no account.
          </EmptyState>
        </Card>
      )}
      {shares.length > 0 && (
        <ul aria-label="Links" className="flex flex-col gap-4">
          {shares.map((share) => (
            <li key={share.id}>
              <ShareCard share={share} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ShareCard({ share: { id, title, kind, period, url, expiresAt, views, lastViewedAt } }: { share: ReportShare }) {
  const headingId = useId()
  const now = useNow()
  const expires = new Date(expiresAt)
  const hasEnded = expires <= now
  const opened = views === 1 ? 'Opened once' : `Opened ${formatCount(views)} times`
  return (
    <article aria-labelledby={headingId}>
      <Card className="flex flex-col gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h2 id={headingId} className="min-w-0 text-base font-semibold wrap-anywhere">
            {propertyName(title)}
          </h2>
          {hasEnded ? <Badge>Expired</Badge> : <Badge tone="positive">Expires {formatUntil(expires, now)}</Badge>}
        </div>
        <p>{reportTitle(kind, period)}</p>
        {(url !== null || !hasEnded) && (
          <p className="text-sm wrap-anywhere text-muted">
            {url ?? "The link still works, but it can't be shown here anymore. Revoke it and share the report again."}
          </p>
        )}
        <p className="text-muted">
          {views === 0
            ? 'Not opened yet'
            : `${opened}${lastViewedAt === null ? '' : `. Last opened: ${formatMoment(new Date(lastViewedAt), now)}`}`}
        </p>
        <div className="flex flex-wrap gap-2">
          {!hasEnded && url !== null && (
            <>
              <CopyButton text={url} label="Copy link" />
              <a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
                <ExternalLink aria-hidden />
                Open
                <span className="sr-only"> (new tab)</span>
              </a>
            </>
          )}
          <Withdraw id={id} title={title} />
        </div>
      </Card>
    </article>
  )
}

function Withdraw({ id, title }: Pick<ReportShare, 'id' | 'title'>) {
  const removing = useRemove('shares', { done: 'Link Revoked', failed: 'Link Not Revoked' })
  return (
    <ConfirmButton
      title="Revoke this link?"
      description={`Nobody will be able to use it to open the report on ${propertyName(title)}. This can't be undone.`}
      confirm="Revoke link"
      pending={removing.isPending}
      onConfirm={(close) => removing.mutate(id, { onSettled: close })}
    >
      <Unlink aria-hidden /> Revoke{' '}
    </ConfirmButton>
  )
}

/** Recently created PDFs, manual and scheduled. */
function PdfsTab() {
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
  // It may have failed, or reached only some of them.
  const readers = recipients === 0 ? '' : `, for ${counted(recipients, 'recipient')}`
  return (
    <div className="min-w-0 grow basis-64">
      <p className="font-medium wrap-anywhere">
        {propertyName(title)}
        {period !== null && <span className="font-normal text-muted"> · {periodTitle(kind, period)}</span>}
      </p>
      <p className="text-sm text-muted">
        {formatMoment(new Date(createdAt), now)}
        {readers}
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
  if (isRunUnderWay(run)) return <RunProgress run={run} />
  if (run.state === 'failed') return <Badge tone="critical">Failed</Badge>
  return (
    <Button aria-label={`Download ${propertyName(run.title)}`} disabled={downloading.isPending} onClick={() => downloading.mutate()}>
      <Download aria-hidden />
      {downloading.isPending ? 'Downloading...' : 'Download'}
    </Button>
  )
}
