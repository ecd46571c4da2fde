import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Link2, Unlink } from 'lucide-react'
import { useId } from 'react'
import type { ReportShare } from '../../../contract/reports/reports.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { reportSharesQuery } from '../../api/reports.ts'
import { formatMoment, formatUntil } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ConfirmButton } from '../../ui/overlay/ConfirmDialog.tsx'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { reportTitle } from '../../widgets/report/copy.ts'
import { lockedWords } from './copy.ts'
import { useRemove } from './DeleteButton.tsx'
import { ListFailure, ListLoading } from './ListStates.tsx'

/** Links to reports that work, or did until recently. */
export function LinksTab() {
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
