import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiError } from '../../../../contract/common.ts'
import type { DeliverySettings, DeliverySettingsChange } from '../../../../contract/delivery/delivery.ts'
import { ApiFailure } from '../../../api/client.ts'
import { deliveryQuery } from '../../../api/delivery.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { changesIn, saveDelivery, tellNotSaved, unsavedSettings } from '../../../widgets/delivery/delivery-settings.ts'

/** What goes before and after a change of where a channel's messages go. */
export type ChannelSwitch = { prepare: () => Promise<boolean>; done: () => Promise<void> }

/** How and when somebody wants to be told: what is saved, with what they chose since on top of it. */
export function useSettingsDraft() {
  const client = useQueryClient()
  const { plan } = useCurrentUser()
  const query = deliveryQuery(plan)
  const { data, isError, refetch } = useQuery(query)
  const [chosen, setChosen] = useState<DeliverySettingsChange>({})
  const [refusal, setRefusal] = useState<ApiError | null>(null)
  const saved = data ?? unsavedSettings(plan)

  /** Saves `change`, and the defaults with it where nothing was saved yet; tells what was refused. */
  async function store(change: DeliverySettingsChange): Promise<boolean> {
    const before = client.getQueryData(query.queryKey)
    // What could not be read cannot have been changed.
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
      tellNotSaved(settings, error)
      setRefusal(error instanceof ApiFailure ? error.problem : null)
      // They may have been created or changed elsewhere.
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
    settings: merge(saved, chosen),
    change(fields: DeliverySettingsChange): void {
      setRefusal(null)
      setChosen((before) => ({ ...before, ...fields }))
    },
    /** What the server said of a field of these settings the last time. */
    refusal,
    isDirty: data !== undefined && Object.keys(changesIn(saved, chosen)).length > 0,
    save: () => store(chosen),
    reload,
    /** The first destination of a channel switches it on (server/delivery/channels/connecting.ts). */
    switchOf: (field: keyof DeliverySettingsChange): ChannelSwitch => ({
      // Else the server would save the defaults in its own time zone.
      prepare: async () => data !== null || store({}),
      done: () => reload(field),
    }),
  }
}
export type SettingsDraft = ReturnType<typeof useSettingsDraft>

const merge = (settings: DeliverySettings, change: DeliverySettingsChange): DeliverySettings =>
  ({ ...settings, ...change }) as DeliverySettings
