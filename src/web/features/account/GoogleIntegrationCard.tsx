import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { gscPropertiesQuery } from '../../api/gsc-properties.ts'
import { sessionQuery, setUser } from '../../api/session.ts'
import { updateUser } from '../../api/account.ts'
import { connectGoogle } from '../../shell/connect-google.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useProperties, useSelectProperty } from '../../shell/properties.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { ConfirmButton } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { PropertyLabel } from '../../widgets/PropertyName.tsx'

export function GoogleIntegrationCard() {
  const connected = useCurrentUser().accessToken !== null
  return (
    <SectionCard
      title="Google Integration"
      description={
        connected ? 'Ranklark syncs your Search Console data every day.' : "Connect Google Search Console to see your properties' data."
      }
      badge={
        connected ? (
          <Badge tone="positive" icon={<CircleCheck aria-hidden />}>
            Connected
          </Badge>
        ) : (
          <Badge icon={<CircleDashed aria-hidden />}>Not connected</Badge>
        )
      }
    >
      <div className="flex flex-col gap-5">
        <SelectedProperty />
        <div>{connected ? <DisconnectButton /> : <ConnectButton />}</div>
      </div>
    </SectionCard>
  )
}

function ConnectButton() {
  const [connecting, setConnecting] = useState(false)
  return (
    <Button
      variant="primary"
      disabled={connecting}
      onClick={() => {
        setConnecting(true)
        connectGoogle('/account')
      }}
    >
      {connecting ? 'Connecting...' : 'Connect Google Search Console'}
    </Button>
  )
}

function SelectedProperty() {
  const { selectedProperty } = useCurrentUser()
  const properties = useProperties()
  const select = useSelectProperty()
  if (properties.length === 0) return null
  return (
    <div className="max-w-md">
      <Select
        label="Selected property"
        placeholder="No property selected"
        value={selectedProperty}
        choices={properties.map((property) => ({ value: property.name, label: <PropertyLabel property={property} /> }))}
        disabled={select.isPending}
        onChange={(name) => {
          if (name !== selectedProperty) select.mutate(name)
        }}
      />
    </div>
  )
}

const disconnected = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }

function DisconnectButton() {
  const client = useQueryClient()
  const disconnect = useMutation({
    mutationFn: () => updateUser(disconnected),
    onSuccess: async (user) => {
      client.removeQueries(gscPropertiesQuery)
      if (user !== null) setUser(client, user)
      else await client.invalidateQueries(sessionQuery)
      toast.success('Disconnected', 'Google Search Console is no longer connected.')
    },
    onError: () => toast.error('Error', 'Failed to disconnect Google Search Console.'),
  })
  return (
    <ConfirmButton
      title="Disconnect Google Search Console?"
      description="Ranklark will revoke its access to your Google account and remove your properties. You can reconnect at any time."
      confirm="Disconnect Search Console"
      pending={disconnect.isPending}
      onConfirm={(close) => disconnect.mutate(undefined, { onSettled: close })}
    >
      Disconnect
    </ConfirmButton>
  )
}
