import { useQuery } from '@tanstack/react-query'
import { CreditCard, PauseCircle } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { subscriptionQuery } from '../../api/billing.ts'
import { pausedWords, planNames } from '../../lib/plans.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/Banner.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { useCurrentUser } from '../current-user.ts'

/** Says when not every site is covered, or the renewal of a plan failed. */
export function PlanBanner() {
  const user = useCurrentUser()
  const subscription = useQuery({ ...subscriptionQuery, enabled: user.plan !== 'free' && user.plan !== null })
  const { pathname } = useLocation()
  // The settings say it themselves, with more to it.
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
