import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeliverySettings, DeliverySettingsChange } from '../../../contract/delivery.ts'
import type { PlanId } from '../../../contract/user.ts'
import { defaultFrequency } from '../../../core/billing/delivery.ts'
import { failureText } from '../../api/client.ts'
import { changeDelivery, createDelivery, deliveryQuery } from '../../api/delivery.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { toast } from '../../ui/toast.ts'

const mutationKey = ['delivery-settings']

/** SPEC §9. What is sent along when there are no settings yet. */
const switches = { emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: false, slackEnabled: false }

/** Settings that were never saved have no id. */
const unsaved = (plan: PlanId): DeliverySettings => ({ id: '', ...switches, frequency: defaultFrequency(plan) })

/**
 * The person's delivery settings, and changing one of them: it shows at once, and goes back when the server refuses.
 * Changes follow each other, so that the second of two finds the settings that the first one made.
 */
export function useDelivery() {
  const client = useQueryClient()
  const { plan } = useCurrentUser()
  const query = deliveryQuery(plan)
  const { data, isPending, isError, refetch } = useQuery(query)
  const shown = (): DeliverySettings => client.getQueryData(query.queryKey) ?? unsaved(plan)
  const show = (settings: DeliverySettings) => client.setQueryData(query.queryKey, settings)

  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'delivery-settings' },
    mutationFn: (change: DeliverySettingsChange) =>
      shown().id === '' ? createDelivery({ ...switches, ...change }) : changeDelivery(change),
    onMutate: (change) => {
      const before = shown()
      show(merge(before, change))
      return before
    },
    onSuccess: (saved, change) => {
      toast.success(shown().id === '' ? 'Email preferences created' : 'Email preferences updated')
      show({ ...merge(shown(), only(saved, change)), id: saved.id })
    },
    onError: async (error, change, before) => {
      if (shown().id === '') toast.error('Failed to create preferences', failureText(error, 'Could not create email preferences'))
      else toast.error('Failed to update preferences', failureText(error, 'Could not save email preferences'))
      if (before) show(merge(shown(), only(before, change)))
      // Changes on their way would be overtaken by an answer from before them.
      if (client.isMutating({ mutationKey }) === 1) await client.invalidateQueries(query)
    },
  })

  return {
    settings: data ?? unsaved(plan),
    isPending,
    isError: isError && data === undefined,
    refetch,
    change: mutate,
  }
}

const merge = (settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettings =>
  ({ ...settings, ...change }) as DeliverySettings

/** The fields of `settings` that a change is about. */
function only(settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettingsChange {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name in change))
}
