import { useQuery } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { channelName, type ChannelName } from '../../../contract/delivery/channels.ts'
import { channelsQuery } from '../../api/delivery.ts'
import { deliveryQuery } from '../../api/delivery.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/Banner.tsx'
import { unknownZoneText, unsavedSettings } from '../../widgets/delivery/delivery-settings.ts'
import { useCurrentUser } from '../current-user.ts'

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
          Alert settings
        </Link>
      </div>
    </Banner>
  )
}
