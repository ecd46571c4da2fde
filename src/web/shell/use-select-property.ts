import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiFailure, failureText } from '../api/client.ts'
import { selectProperty } from '../api/gsc-properties.ts'
import { sessionQuery, setUser } from '../api/session.ts'
import { toast } from '../ui/overlay/toast.ts'

/** Makes a property the selected one; every screen then shows its figures. */
export function useSelectProperty() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: selectProperty,
    onSuccess: async (user, name) => {
      if (user !== null) setUser(client, user)
      else await client.invalidateQueries(sessionQuery)
      toast.success('Property Selected', name)
    },
    onError: (error) => {
      // The server has asked Google: what is known of the properties may be another than a moment ago.
      if (error instanceof ApiFailure && error.status === 403) void client.invalidateQueries(sessionQuery)
      toast.error('Error', failureText(error, 'Failed to update property selection'))
    },
  })
}
