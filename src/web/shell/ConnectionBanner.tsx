import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { SyncStatus } from '../../contract/sync.ts'
import { needsOwner } from '../api/sync.ts'
import { formatMoment } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { isScreen } from '../../contract/screens.ts'
import { Banner } from '../ui/Banner.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { useSyncStatus } from './use-sync-status.ts'

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
        {status.retryAt !== null && ` Ranklark tries again: ${formatMoment(new Date(status.retryAt), now)}.`}
      </p>
    </Banner>
  )
}

function MendingLink({ label, href }: NonNullable<SyncStatus['action']>) {
  const className = buttonClass('secondary')
  if (isScreen(href)) {
    return (
      <Link to={href} className={className}>
        {label}
      </Link>
    )
  }
  // The server's own addresses lead away from the app and back; others open beside it.
  const external = !href.startsWith('/')
  return (
    <a href={href} className={className} {...(external ? { target: '_blank', rel: 'noreferrer' } : {})}>
      {label}
    </a>
  )
}
