import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { failureText } from '../../api/client.ts'
import { gscPropertiesQuery, monitorSites } from '../../api/gsc-properties.ts'
import { sessionQuery, setUser } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/toast.ts'

/** Watches these sites from now on, then opens the dashboard of the first. */
export function useMonitorSites() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: monitorSites,
    onSuccess: async (user) => {
      if (user !== null) setUser(client, user)
      else await client.invalidateQueries(sessionQuery)
      void client.invalidateQueries(gscPropertiesQuery)
      await navigate(paths.dashboard)
    },
    onError: (error) => toast.error('Error', failureText(error, 'Failed to save property selection')),
  })
}
