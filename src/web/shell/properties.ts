import { propertyName } from '../../core/accounts/property-name.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import type { Property } from '../../contract/user.ts'
import { useLocation } from 'react-router'
import { ApiFailure, failureText } from '../api/client.ts'
import { gscPropertiesQuery, selectProperty } from '../api/gsc-properties.ts'
import { sessionQuery, setUser } from '../api/session.ts'
import { toast } from '../ui/overlay/toast.ts'
import { ShowProperty, useCurrentUser } from './current-user.ts'
import { listsOfAll } from './frame/kept-params.ts'

/** The person's properties: as stored with the account, or fetched from Google once connected. */
export function useProperties(): readonly Property[] {
  const user = useCurrentUser()
  const { data } = useQuery({ ...gscPropertiesQuery, enabled: user.accessToken !== null && user.gscProperties === null })
  return user.gscProperties ?? data ?? []
}

/** Selects a property; every screen then shows its figures. */
export function useSelectProperty() {
  const client = useQueryClient()
  const show = useContext(ShowProperty)
  return useMutation({
    mutationFn: selectProperty,
    onSuccess: async (user, name) => {
      if (user !== null) setUser(client, user)
      else await client.invalidateQueries(sessionQuery)
      show(name)
      toast.success('Property Selected', propertyName(name))
    },
    onError: (error) => {
      // The server has just asked Google, so the properties may have changed.
      if (error instanceof ApiFailure && error.status === 403) void client.invalidateQueries(sessionQuery)
      toast.error('Error', failureText(error, 'Failed to update property selection'))
    },
  })
}

/** Whether the screen lists all of the person's properties, not just the shown one. */
export function useIsOfAll(): boolean {
  const { pathname, search } = useLocation()
  return listsOfAll.includes(pathname) && new URLSearchParams(search).get('property') === 'all'
}
