import { TriangleAlert } from 'lucide-react'
import { needsOwner } from '../../api/sync.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Banner } from '../../ui/Banner.tsx'
import { MendingLink } from '../../ui/MendingLink.tsx'
import { useSyncStatus } from '../use-sync-status.ts'

/** Says why no data comes in and what mends it. Nothing while all is well. */
export function ConnectionBanner() {
  const status = useSyncStatus()
  const now = useNow()
  if (status === null || status.message === null) return null
  return (
    <Banner
      tone={needsOwner(status) ? 'critical' : 'warning'}
      label="Connection"
      icon={<TriangleAlert aria-hidden />}
      action={status.action && <MendingLink {...status.action} />}
    >
      <p>
        {status.message}
        {status.retryAt !== null && ` Next attempt: ${formatMoment(new Date(status.retryAt), now)}.`}
      </p>
    </Banner>
  )
}
