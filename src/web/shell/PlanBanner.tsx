import { useQuery } from '@tanstack/react-query'
import { CreditCard, PauseCircle } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { subscriptionQuery } from '../api/billing.ts'
import { planNames } from '../lib/plans.ts'
import { paths } from '../paths.ts'
import { Banner } from '../ui/Banner.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { useCurrentUser } from './current-user.ts'

/** Says when the plan does not cover every site, or its renewal failed. */
export function PlanBanner() {
  const user = useCurrentUser()
  const subscription = useQuery({ ...subscriptionQuery, enabled: user.plan !== 'free' })
  const { pathname } = useLocation()
  const plan = planNames[user.plan]
  // The settings say it themselves, with more to it.
  if (subscription.data?.status === 'past_due' && pathname !== paths.settings) {
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
        <p>The last payment for your {plan} plan failed. It is tried again over the next days.</p>
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
          Choose which stay
        </Link>
      }
    >
      <p>
        Your {plan} plan covers {user.siteLimit} site(s); {user.sitesPaused} {user.sitesPaused === 1 ? 'is' : 'are'} paused.
      </p>
    </Banner>
  )
}
