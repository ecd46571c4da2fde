import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { gscPropertiesQuery } from '../../api/gsc-properties.ts'
import { sessionQuery, setUser } from '../../api/session.ts'
import { updateUser } from '../../api/user.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'

const disconnected = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }

export function DisconnectButton() {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const disconnect = useMutation({
    mutationFn: () => updateUser(disconnected),
    onSuccess: async (user) => {
      client.removeQueries(gscPropertiesQuery)
      if (user !== null) setUser(client, user)
      else await client.invalidateQueries(sessionQuery)
      toast.success('Disconnected', 'Google Search Console is no longer connected.')
    },
    onError: () => toast.error('Error', 'Failed to disconnect Google Search Console.'),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button onClick={() => setAsking(true)}>Disconnect</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Disconnect Google Search Console?"
        description="Ranklark revokes its access to your Google account and removes your properties. You can reconnect at any time."
        confirm="Disconnect Search Console"
        pending={disconnect.isPending}
        onConfirm={() => disconnect.mutate()}
      />
    </>
  )
}
