import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Activity, BellOff, CreditCard } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { channelName, type ChannelName } from '../../../contract/delivery/channels.ts'
import type { PlanId } from '../../../contract/user.ts'
import { dismissNotice } from '../../api/account.ts'
import { subscriptionQuery } from '../../api/billing.ts'
import { channelsQuery, deliveryQuery } from '../../api/delivery.ts'
import { failureText } from '../../api/client.ts'
import { setUser } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/Banner.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { unknownZoneText, unsavedSettings } from '../../widgets/delivery/delivery-settings.ts'
import { useCurrentUser } from '../current-user.ts'
import { planNames } from '../plans.ts'
import { useSyncStatus } from '../sync.ts'

const names: Record<ChannelName, string> = { email: 'Email', slack: 'Slack', sms: 'SMS', webhook: 'Webhook' }

/** Says which channels are on but no longer work, and that the time zone is unknown. */
export function DeliveryBanner() {
  const { plan } = useCurrentUser()
  const { data: channels } = useQuery(channelsQuery(plan))
  const { data: saved } = useQuery(deliveryQuery(plan))
  const { pathname } = useLocation()
  // The cards on that screen show it, with a way to fix it.
  if (channels === undefined || saved === undefined || pathname === paths.alertSettings) return null
  const settings = saved ?? unsavedSettings(plan)
  // Email is locked only on installations without a mail server, whatever the plan.
  const problemOf = (channel: ChannelName) => channels[channel].problem ?? (channel === 'email' ? channels.email.locked : null)
  const closed = channelName.options.filter((channel) => settings[`${channel}Enabled`] && problemOf(channel) !== null)
  return (
    <>
      {closed.map((channel) => (
        <Notice
          key={channel}
          label={`${names[channel]} alerts`}
          title={`${names[channel]} alerts are off`}
          problem={problemOf(channel) ?? ''}
        />
      ))}
      {settings.unknownTimeZone !== undefined && (
        <Notice label="Time zone" title="Choose your time zone" problem={unknownZoneText(settings.unknownTimeZone)} />
      )}
    </>
  )
}

function Notice({ label, title, problem }: { label: string; title: string; problem: string }) {
  return (
    <Banner tone="warning" label={label} icon={<BellOff aria-hidden />}>
      <div className="flex flex-wrap items-center gap-x-4">
        <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
          <strong className="font-semibold">{title}:</strong> {problem}
        </p>
        <Link to={paths.alertSettings} className="-my-2 inline-flex min-h-10 shrink-0 items-center font-medium text-brand hover:underline">
          Alert Settings
        </Link>
      </div>
    </Banner>
  )
}

const paidSubscriptionQuery = (plan: PlanId | null) => ({ ...subscriptionQuery, enabled: plan !== 'free' && plan !== null })

/** Says that the plan could not be renewed, in place of anything else about the plan. */
export function PlanBanner({ otherwise }: { otherwise: ReactNode }) {
  const { plan } = useCurrentUser()
  const subscription = useQuery(paidSubscriptionQuery(plan))
  const { pathname } = useLocation()
  // The settings show this in more detail.
  if (plan === null || subscription.data?.status !== 'past_due' || pathname === paths.settings) return otherwise
  return (
    <Banner
      tone="warning"
      label="Payment"
      icon={<CreditCard aria-hidden />}
      action={
        <Link to={paths.settings} className={buttonClass()}>
          Check your card
        </Link>
      }
    >
      <p>The last payment for your {planNames[plan]} plan failed. We'll retry it over the next few days.</p>
    </Banner>
  )
}

/** Says once that properties from before got another rule. */
export function NewRuleBanner() {
  const user = useCurrentUser()
  const client = useQueryClient()
  const dismissing = useMutation({
    mutationFn: () => dismissNotice('unusual_changes'),
    onMutate: () => setUser(client, { ...user, notices: [] }),
    onError(error) {
      setUser(client, user)
      toast.error('Notice Not Dismissed', failureText(error, "Couldn't dismiss this notice. Please try again."))
    },
  })
  if (user.notices?.includes('unusual_changes') !== true) return null
  return (
    <Banner
      tone="brand"
      label="New rule"
      icon={<Activity aria-hidden />}
      dismiss={{ label: 'Dismiss notice about the new rule', onDismiss: () => dismissing.mutate() }}
      action={
        <Link to={paths.alertSettings} className={buttonClass()}>
          Review your rules
        </Link>
      }
    >
      <p>
        <strong className="font-semibold">Your properties have a new rule.</strong> “Unusual clicks” alerts you when a whole site gets more
        or fewer clicks than expected, with about one false alarm a year.
      </p>
    </Banner>
  )
}

/** Reports when every notice is known; after the effects of those that are shown, so that their height can be measured. */
export function WhenKnown({ onKnown }: { onKnown: () => void }) {
  const { plan, selectedProperty } = useCurrentUser()
  const status = useSyncStatus()
  const isLoading = [useQuery(channelsQuery(plan)), useQuery(deliveryQuery(plan)), useQuery(paidSubscriptionQuery(plan))].some(
    (query) => query.isLoading,
  )
  const isKnown = !isLoading && (status !== null || selectedProperty === null)
  useEffect(() => {
    if (isKnown) onKnown()
  }, [isKnown, onKnown])
  return null
}

/** Reports how many alerts wait for the email address to be confirmed. */
export function WaitingAlerts({ onChange }: { onChange: (alerts: number) => void }) {
  const { plan } = useCurrentUser()
  const { data: channels } = useQuery(channelsQuery(plan))
  const { data: settings } = useQuery(deliveryQuery(plan))
  const waiting = settings?.emailEnabled === false ? 0 : (channels?.email.unconfirmed?.alerts ?? 0)
  useEffect(() => onChange(waiting), [waiting, onChange])
  return null
}
