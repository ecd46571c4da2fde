import { useQuery } from '@tanstack/react-query'
import { CreditCard, FlaskConical, PauseCircle, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { subscriptionQuery } from '../../api/billing.ts'
import { needsOwner } from '../../api/sync.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/Banner.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { MendingLink } from '../../ui/MendingLink.tsx'
import { useCurrentUser } from '../current-user.ts'
import { pausedWords, planNames } from '../plans.ts'
import { useSyncStatus } from '../sync.ts'
import { ConfirmAddressBanner } from './ConfirmAddressBanner.tsx'
import { DeliveryBanner } from './DeliveryBanner.tsx'

/** Notices shown on every screen, the most urgent first. */
export function Banners() {
  return (
    <>
      <ConnectionBanner />
      <PlanBanner />
      <DeliveryBanner />
      <ConfirmAddressBanner />
      <DemoBanner />
    </>
  )
}

/** Says why no data is coming in and how to fix it. */
function ConnectionBanner() {
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

/** Says that sites are paused, or that the plan could not be renewed. */
function PlanBanner() {
  const user = useCurrentUser()
  const subscription = useQuery({ ...subscriptionQuery, enabled: user.plan !== 'free' && user.plan !== null })
  const { pathname } = useLocation()
  // The settings show this in more detail.
  if (user.plan !== null && subscription.data?.status === 'past_due' && pathname !== paths.settings) {
    return (
      <Banner
        tone="warning"
        label="Payment"
        icon={<CreditCard aria-hidden />}
        action={
          <Link to={paths.settings} className={buttonClass()}>
            Check the card
          </Link>
        }
      >
        <p>The last payment for your {planNames[user.plan]} plan failed. We'll retry it over the next few days.</p>
      </Banner>
    )
  }
  if (user.sitesPaused === 0) return null
  return (
    <Banner
      tone="warning"
      label="Paused sites"
      icon={<PauseCircle aria-hidden />}
      action={
        <Link to={paths.selectSites} className={buttonClass()}>
          Choose which to keep
        </Link>
      }
    >
      <p>{pausedWords(user)}</p>
    </Banner>
  )
}

const demoDismissedKey = 'ranklark-demo-banner-dismissed'

/** Says that this is sample data, and how to connect one's own. */
function DemoBanner() {
  const { demo } = useCurrentUser()
  const [dismissed, setDismissed] = useState(() => readStored(() => sessionStorage, demoDismissedKey) !== null)
  if (!demo || dismissed) return null

  function dismiss() {
    writeStored(() => sessionStorage, demoDismissedKey, 'yes')
    setDismissed(true)
  }

  return (
    <Banner tone="brand" label="Demo" icon={<FlaskConical aria-hidden />} dismiss={{ label: 'Dismiss demo notice', onDismiss: dismiss }}>
      <p>
        <strong className="font-semibold">This is a demo with sample sites.</strong> To connect your own Search Console, start with{' '}
        <code>GOOGLE_CLIENT_ID</code> and <code>GOOGLE_CLIENT_SECRET</code> set. See the README.
      </p>
    </Banner>
  )
}
