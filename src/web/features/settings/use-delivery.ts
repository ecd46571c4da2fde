import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeliverySettings, DeliverySettingsChange } from '../../../contract/delivery.ts'
import { deliveryQuery } from '../../api/delivery.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { saveDelivery, tellNotSaved, unsavedSettings } from '../../widgets/delivery/delivery-settings.ts'

const mutationKey = ['delivery-settings']

/**
 * The person's delivery settings, and changing one of them: it shows at once, and goes back when the server refuses.
 * Changes follow each other, so that the second of two finds the settings that the first one made.
 */
export function useDelivery() {
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
      show(merge(before, change))
      return before
    },
    onSuccess: (saved, change) => {
      toast.success(shown().id === '' ? 'Email preferences created' : 'Email preferences updated')
      show({ ...merge(shown(), only(saved, change)), id: saved.id })
    },
    onError: async (error, change, before) => {
      tellNotSaved(shown(), error)
      if (before) show(merge(shown(), only(before, change)))
      // Changes on their way would be overtaken by an answer from before them.
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

const merge = (settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettings =>
  ({ ...settings, ...change }) as DeliverySettings

/** The fields of `settings` that a change is about. */
function only(settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettingsChange {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name in change))
}
