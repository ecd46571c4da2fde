import { useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Download } from 'lucide-react'
import { useEffect, useId } from 'react'
import { useParams } from 'react-router'
import type { SharedReport, ShownBrand } from '../../../contract/reports/reports.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { downloadShared, sharedReportQuery } from '../../api/reports.ts'
import { formatDate } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { BrandLogo, brandScope, inBrandClass } from '../../widgets/report/brand.tsx'
import { reportAnchor, reportTitle } from '../../widgets/report/copy.ts'
import { ReportBody, ReportLoading } from '../../widgets/report/ReportBody.tsx'
import { ReportsTogether } from '../../widgets/report/ReportsTogether.tsx'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'

/** A report for whoever has its link. Standalone: nothing here links into the app. */
export function SharedReportPage() {
  const { token = '' } = useParams()
  const { data, error, refetch } = useQuery(sharedReportQuery(token))
  return (
    <>
      <meta name="robots" content="noindex, nofollow" />
      {data !== undefined ? (
        <SharedReportView token={token} shared={data} />
      ) : (
        <main className="mx-auto w-full max-w-[80rem] px-4 py-8 sm:px-6">
          <title>Report</title>
          {error === null ? (
            <>
              <h1 className="sr-only">Report</h1>
              <ReportLoading />
            </>
          ) : isGone(error) ? (
            <Gone />
          ) : (
            <Card>
              <h1 className="sr-only">Report</h1>
              <LoadFailure title="Couldn't load the report" error={error} onRetry={() => void refetch()} />
            </Card>
          )}
        </main>
      )}
    </>
  )
}

const isGone = (error: Error): boolean => error instanceof ApiFailure && error.status === 404

/** Expired, revoked, or mistyped: doesn't say which. */
function Gone() {
  return (
    <Card className="mx-auto mt-[15dvh] max-w-md text-center">
      <h1 className="text-title font-semibold">This link doesn't work</h1>
      <p className="mt-2 text-muted">This link expired, was revoked or is incomplete. Ask the person who sent it for a new one.</p>
    </Card>
  )
}

type SharedReportViewProps = { token: string; shared: SharedReport }

/** In the sharer's brand, or in ours without one. */
function SharedReportView({ token, shared }: SharedReportViewProps) {
  const { brand, kind, period, reports, missing } = shared
  const title = propertyName(shared.title)
  const scope = brand === null ? null : brandScope(brand.color)
  const now = useNow()
  useBrandIcon(brand)
  return (
    <div className={clsx('flex min-h-dvh flex-col', scope?.className)} {...(scope === null ? {} : { style: scope.style })}>
      <title>{`${reportTitle(kind, period)} · ${title}`}</title>
      <div className={clsx('h-1.5', scope === null ? 'bg-brand' : inBrandClass)} />
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-[80rem] flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-6">
          {brand === null ? <Logo /> : <BrandLogo brand={brand} />}
          <DownloadPdf token={token} isBranded={brand !== null} />
        </div>
      </header>
      <main className="mx-auto w-full max-w-[80rem] flex-1 px-4 py-6 sm:px-6">
        <h1 className="text-title font-semibold text-brand">{reportTitle(kind, period)}</h1>
        <p className="mb-5 wrap-anywhere">{title}</p>
        {reports.length > 1 && <Contents reports={reports} />}
        <ReportsTogether reports={reports} />
        {missing.length > 0 && (
          <p className="mb-5 rounded-control bg-warning-soft p-3 wrap-anywhere">
            No data for this period: {missing.map(propertyName).join(', ')}.
          </p>
        )}
        <div className="flex flex-col gap-12">
          {reports.map((report, index) => (
            <Part key={report.property} report={report} index={index} isOnly={reports.length === 1} />
          ))}
        </div>
      </main>
      <footer className="border-t border-line text-sm text-muted">
        <div className="mx-auto flex max-w-[80rem] flex-wrap gap-x-4 gap-y-1 px-4 py-4 sm:px-6">
          <span className="print:hidden">This link expires on {formatDate(new Date(shared.expiresAt), now)}.</span>
          <span className="wrap-anywhere sm:ml-auto">{brand === null ? 'Made with Ranklark' : brand.name}</span>
        </div>
      </footer>
    </div>
  )
}

function Contents({ reports }: Pick<SharedReport, 'reports'>) {
  const id = useId()
  return (
    <nav aria-labelledby={id} className="mb-8 rounded-card border border-line bg-surface p-5">
      <h2 id={id} className="text-base font-semibold">
        Contents
      </h2>
      <ol className="mt-1 sm:columns-2">
        {reports.map(({ property }, index) => (
          <li key={property} className="break-inside-avoid">
            <a
              href={`#${reportAnchor(index)}`}
              className="inline-flex min-h-10 max-w-full items-center wrap-anywhere text-brand hover:underline lg:pointer-fine:min-h-8"
            >
              {propertyName(property)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

type PartProps = { report: SharedReport['reports'][number]; index: number; isOnly: boolean }

/** One property; an only one has its name above. */
function Part({ report, index, isOnly }: PartProps) {
  const id = useId()
  if (isOnly) return <ReportBody report={report} isOwn={false} />
  return (
    <section aria-labelledby={id} id={reportAnchor(index)} className="scroll-mt-4 print:break-before-page">
      <h2 id={id} className="mb-1 text-title font-semibold wrap-anywhere text-brand">
        {propertyName(report.property)}
      </h2>
      <ReportBody report={report} isOwn={false} level={3} />
    </section>
  )
}

function DownloadPdf({ token, isBranded }: { token: string; isBranded: boolean }) {
  const downloading = useMutation({
    mutationFn: () => downloadShared(token),
    onSuccess: ({ file, name }) => saveFile(file, name),
    onError: (error) => toast.error('Download Failed', failureText(error, "Couldn't download the PDF. Please try again.")),
  })
  return (
    <Button
      variant="primary"
      className={clsx('print:hidden', isBranded && inBrandClass)}
      disabled={downloading.isPending}
      onClick={() => downloading.mutate()}
    >
      <Download aria-hidden />
      {downloading.isPending ? 'Creating the PDF...' : 'Download PDF'}
    </Button>
  )
}

const ours = { href: '/favicon.svg', type: 'image/svg+xml' }
/** An empty URL, so that no browser looks for an icon itself. */
const none = { href: 'data:,', type: '' }

/** The tab's icon: the brand's logo, ours without a brand, none if a brand has no logo. */
function useBrandIcon(brand: ShownBrand | null): void {
  useEffect(() => {
    const icon = document.head.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (icon === null) return
    const { href, type } = brand === null ? ours : brand.logo === null ? none : { href: brand.logo, type: 'image/png' }
    icon.type = type
    icon.href = href
  }, [brand])
}
