import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiError } from '../../../../contract/common.ts'
import type { DeliverySettingsChange } from '../../../../contract/delivery/delivery.ts'
import { ApiFailure } from '../../../api/client.ts'
import { deliveryQuery } from '../../../api/delivery.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { changesIn, saveDelivery, toastNotSaved, unsavedSettings, withChange } from '../../../widgets/delivery/delivery-settings.ts'

/** Runs before and after a change of a channel's destination. */
export type ChannelSwitch = { prepare: () => Promise<boolean>; done: () => Promise<void> }

/** When and how somebody wants alerts: the saved settings plus unsaved changes. */
export function useSettingsDraft() {
  const client = useQueryClient()
  const { plan } = useCurrentUser()
  const query = deliveryQuery(plan)
  const { data, isError, refetch } = useQuery(query)
  const [chosen, setChosen] = useState<DeliverySettingsChange>({})
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const saved = data ?? unsavedSettings(plan)

  /** Saves `change`, including the defaults if nothing was saved yet; shows what was refused. */
  async function store(change: DeliverySettingsChange): Promise<boolean> {
    const before = client.getQueryData(query.queryKey)
    // Settings that failed to load can't have been changed.
    if (before === undefined) return true
    const settings = before ?? unsavedSettings(plan)
    const changed = changesIn(settings, change)
    if (before !== null && Object.keys(changed).length === 0) return true
    setRefusal(null)
    try {
      const now = await saveDelivery(settings, changed)
      client.setQueryData(query.queryKey, now)
      setChosen((later) => changesIn(now, later))
      return true
    } catch (error) {
      toastNotSaved(settings, error)
      setRefusal(error instanceof ApiFailure ? error.problem : null)
      // Settings may have been created or changed elsewhere.
      await client.invalidateQueries(query)
      return false
    }
  }

  /** The server itself switched a channel on or off. */
  async function reload(field: keyof DeliverySettingsChange): Promise<void> {
    setChosen(({ [field]: _decided, ...others }) => others)
    await client.invalidateQueries(query)
  }

  return {
    isLoaded: data !== undefined,
    isError: isError && data === undefined,
    refetch,
    saved,
    settings: withChange(saved, chosen),
    change(fields: DeliverySettingsChange): void {
      setRefusal(null)
      setChosen((before) => ({ ...before, ...fields }))
    },
    /** The server's last refusal of one of these fields. */
    refusal,
    isDirty: data !== undefined && Object.keys(changesIn(saved, chosen)).length > 0,
    save: () => store(chosen),
    reload,
    /** A channel's first destination switches it on (server/delivery/channels/connecting.ts). */
    switchOf: (field: keyof DeliverySettingsChange): ChannelSwitch => ({
      // Otherwise the server would save the defaults in its own time zone.
      prepare: async () => data !== null || store({}),
      done: () => reload(field),
    }),
  }
}
export type SettingsDraft = ReturnType<typeof useSettingsDraft>
