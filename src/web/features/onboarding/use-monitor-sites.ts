import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { ApiFailure, failureText } from '../../api/client.ts'
import { gscPropertiesQuery, monitorSites } from '../../api/gsc-properties.ts'
import { showUser } from '../../api/session.ts'
import { usePurchaseFlow } from '../../shell/purchase/purchase-flow-context.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Watches these sites from now on, completes the setup, and opens the dashboard of the first. */
export function useMonitorSites() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { tell } = usePurchaseFlow()
  return useMutation({
    mutationFn: monitorSites,
    onSuccess: async (user, sites) => {
      await showUser(client, user)
      void client.invalidateQueries(gscPropertiesQuery)
      await navigate(paths.dashboard)
      tell({ type: 'sitesChosen', sites })
      tell({ type: 'completed' })
    },
    onError: (error) => {
      // The list on screen was right a moment ago; there may be none, for somebody who typed the site.
      const isOnScreen = client.getQueryData(gscPropertiesQuery.queryKey) !== undefined
      if (isOnScreen && error instanceof ApiFailure && error.status === 403) void client.invalidateQueries(gscPropertiesQuery)
      toast.error('Error', failureText(error, 'Failed to save property selection'))
    },
  })
}
