import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useForm } from 'react-hook-form'
import type { DeliveryChannels } from '../../../../contract/delivery/channels.ts'
import { channelsQuery } from '../../../api/delivery.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { nothingTyped, type Typed, typedOf } from './destination-form.ts'

/** Where messages go, and the input to change it. */
export function useDestinations() {
  const client = useQueryClient()
  const { plan, email: account } = useCurrentUser()
  const query = channelsQuery(plan)
  const { data: channels, isError, refetch } = useQuery(query)
  const values = useMemo(() => (channels === undefined ? nothingTyped : typedOf(channels, account)), [channels, account])
  const form = useForm<Typed>({ values, defaultValues: nothingTyped, resetOptions: { keepDirtyValues: true } })

  return {
    channels,
    account,
    form,
    typed: form.formState.dirtyFields,
    isError: isError && channels === undefined,
    refetch,
    /** Shows the new destinations and clears the completed fields. */
    show(now: DeliveryChannels, ...done: (keyof Typed)[]): void {
      const fresh = typedOf(now, account)
      for (const name of done) form.resetField(name, { defaultValue: fresh[name] })
      client.setQueryData(query.queryKey, now)
    },
  }
}
export type Destinations = ReturnType<typeof useDestinations>
