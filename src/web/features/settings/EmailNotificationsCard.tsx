import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { channelsQuery } from '../../api/delivery-channels.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { FrequencySelect } from '../../widgets/delivery/FrequencySelect.tsx'
import { SeveritySwitches } from '../../widgets/delivery/SeveritySwitches.tsx'
import { useDelivery } from './use-delivery.ts'

export function EmailNotificationsCard() {
  const { email, plan } = useCurrentUser()
  const mail = useQuery(channelsQuery(plan)).data?.email
  const delivery = useDelivery()
  return (
    <SectionCard
      title="Email notifications"
      description={
        mail?.locked ?? (
          <>
            Alerts are sent to <strong className="font-medium break-all text-text">{mail?.to ?? email}</strong>
            {mail?.unconfirmed ? ' once you have confirmed this address.' : '.'}
          </>
        )
      }
    >
      {delivery.isError ? (
        <ErrorState title="Couldn't load your preferences" actions={<Button onClick={() => void delivery.refetch()}>Try again</Button>}>
          Your saved preferences still apply.
        </ErrorState>
      ) : delivery.isPending ? (
        <Skeleton className="h-80" />
      ) : (
        <Preferences {...delivery} />
      )}
    </SectionCard>
  )
}

function Preferences({ settings, change }: Pick<ReturnType<typeof useDelivery>, 'settings' | 'change'>) {
  const { plan } = useCurrentUser()
  const { emailEnabled, slackEnabled, smsEnabled, frequency } = settings
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <Switch
        label="Email notifications"
        hint="Receive alerts by email"
        checked={emailEnabled}
        onChange={(on) => change({ emailEnabled: on })}
      />
      <div className="border-t border-line pt-5">
        {/* What counts as an alert matters to Slack too: with neither there is nothing to choose. */}
        <SeveritySwitches {...settings} disabled={!emailEnabled && !slackEnabled} onChange={change} />
      </div>
      <div className="border-t border-line pt-5">
        <FrequencySelect
          plan={plan}
          frequency={frequency}
          disabled={!emailEnabled && !slackEnabled && !smsEnabled}
          onChange={(chosen) => change({ frequency: chosen })}
        />
      </div>
      <Link to={paths.alertSettings} className="inline-flex min-h-10 items-center self-start font-medium text-brand hover:underline">
        More delivery options in Alert Settings
      </Link>
    </div>
  )
}
