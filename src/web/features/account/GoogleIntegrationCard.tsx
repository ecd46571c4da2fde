import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { propertyLabel } from '../../lib/property-label.ts'
import { connectGoogle } from '../../lib/connect-google.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useProperties } from '../../shell/use-properties.ts'
import { useSelectProperty } from '../../shell/use-select-property.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { DisconnectButton } from './DisconnectButton.tsx'

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
        choices={properties.map((property) => ({ value: property.name, label: propertyLabel(property) }))}
        disabled={select.isPending}
        onChange={(name) => {
          if (name !== selectedProperty) select.mutate(name)
        }}
      />
    </div>
  )
}
