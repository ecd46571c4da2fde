import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { DeliverySettings, DeliverySettingsChange } from '../../../contract/delivery/delivery.ts'
import { channelsQuery } from '../../api/delivery.ts'
import { deliveryQuery } from '../../api/delivery.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { saveDelivery, toastNotSaved, unsavedSettings, withChange } from '../../widgets/delivery/delivery-settings.ts'
import { FrequencySelect } from '../../widgets/delivery/FrequencySelect.tsx'
import { SeveritySwitches } from '../../widgets/delivery/SeveritySwitches.tsx'

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
            {mail?.unconfirmed ? ' once you confirm this address.' : '.'}
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
        {/* What counts as an alert matters to Slack too: without either there is nothing to choose. */}
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

const mutationKey = ['delivery-settings']

/**
 * The person's delivery settings, and changing one of them: a change shows at once, and reverts if the server refuses. Changes run one
 * after another, so that the second finds the settings created by the first.
 */
function useDelivery() {
  const client = useQueryClient()
  const { plan } = useCurrentUser()
  const query = deliveryQuery(plan)
  const { data, isPending, isError, refetch } = useQuery(query)
  const shown = (): DeliverySettings => client.getQueryData(query.queryKey) ?? unsavedSettings(plan)
  const show = (settings: DeliverySettings) => client.setQueryData(query.queryKey, settings)

  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'delivery-settings' },
    mutationFn: (change: DeliverySettingsChange) => saveDelivery(shown(), change),
    onMutate: (change) => {
      const before = shown()
      show(withChange(before, change))
      return before
    },
    onSuccess: (saved, change) => {
      toast.success(shown().id === '' ? 'Email preferences created' : 'Email preferences updated')
      show({ ...withChange(shown(), only(saved, change)), id: saved.id })
    },
    onError: async (error, change, before) => {
      toastNotSaved(shown(), error)
      if (before) show(withChange(shown(), only(before, change)))
      // An earlier answer would overwrite changes under way.
      if (client.isMutating({ mutationKey }) === 1) await client.invalidateQueries(query)
    },
  })

  return {
    settings: data ?? unsavedSettings(plan),
    isPending,
    isError: isError && data === undefined,
    refetch,
    change: mutate,
  }
}

/** The fields of `settings` affected by a change. */
function only(settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettingsChange {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name in change))
}
