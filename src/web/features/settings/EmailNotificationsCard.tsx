import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { FrequencySelect } from './FrequencySelect.tsx'
import { useDelivery } from './use-delivery.ts'

export function EmailNotificationsCard() {
  const { email } = useCurrentUser()
  const delivery = useDelivery()
  return (
    <SectionCard
      title="Email notifications"
      description={
        <>
          Alerts are sent to <strong className="font-medium break-all text-text">{email}</strong>.
        </>
      }
    >
      {delivery.isError ? (
        <ErrorState
          title="Your preferences could not be loaded"
          actions={<Button onClick={() => void delivery.refetch()}>Try again</Button>}
        >
          Alerts go on being sent as you chose before.
        </ErrorState>
      ) : delivery.isPending ? (
        <Skeleton className="h-72" />
      ) : (
        <Preferences {...delivery} />
      )}
    </SectionCard>
  )
}

function Preferences({ settings, change }: Pick<ReturnType<typeof useDelivery>, 'settings' | 'change'>) {
  // What counts as an alert matters to every channel: with none left there is nothing to choose.
  const silent = !settings.emailEnabled && !settings.slackEnabled
  return (
    <div className="flex max-w-2xl flex-col gap-5">
      <Switch
        label="Email notifications"
        hint="Receive alerts by email"
        checked={settings.emailEnabled}
        onChange={(emailEnabled) => change({ emailEnabled })}
      />
      <fieldset className="flex flex-col gap-3 border-t border-line pt-5">
        <legend className="sr-only">Which alerts</legend>
        <Switch
          label="Critical alerts"
          hint="Changes over 30 %"
          checked={settings.criticalAlerts}
          disabled={silent}
          onChange={(criticalAlerts) => change({ criticalAlerts })}
        />
        <Switch
          label="Warning alerts"
          hint="Changes of 15 to 30 %"
          checked={settings.warningAlerts}
          disabled={silent}
          onChange={(warningAlerts) => change({ warningAlerts })}
        />
        <Switch
          label="Positive alerts"
          hint="Improvements"
          checked={settings.positiveAlerts}
          disabled={silent}
          onChange={(positiveAlerts) => change({ positiveAlerts })}
        />
      </fieldset>
      <div className="border-t border-line pt-5">
        <FrequencySelect frequency={settings.frequency} disabled={silent} onChange={(frequency) => change({ frequency })} />
      </div>
    </div>
  )
}
