import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { type CardProps, lockOf, refusalOf } from '../card-props.ts'
import { ChannelCard, ChannelFields } from '../ChannelCard.tsx'
import { Connected } from '../Connected.tsx'
import { NewSecret } from './NewSecret.tsx'
import { ConnectButtons, WebhookAddress } from './WebhookAddress.tsx'
import { WebhookGuide } from './WebhookGuide.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'

export function WebhookCard({ plan, draft, destinations, webhook, channels }: CardProps) {
  const { form } = destinations
  const { settings, change } = draft
  const { to, lastSentAt, problem, example } = channels.webhook
  const [replacing, setReplacing] = useState(false)
  const locked = lockOf(plan, 'webhook', channels.webhook.locked)
  const off = locked !== null || !settings.webhookEnabled

  function stopReplacing(): void {
    setReplacing(false)
    form.resetField('url')
  }

  function toggle(webhookEnabled: boolean): void {
    change({ webhookEnabled })
    if (!webhookEnabled) stopReplacing()
  }

  async function connect(): Promise<void> {
    if (await webhook.save()) setReplacing(false)
  }

  return (
    <ChannelCard
      icon={WebhookIcon}
      title="Webhook"
      description="Sends every alert and recovery to your own server as JSON, in real time. Frequency, severity and quiet hours don't apply."
      on={settings.webhookEnabled}
      onToggle={toggle}
      locked={locked}
      problem={problem}
      refusal={refusalOf(draft, 'webhookEnabled')}
    >
      {webhook.secret !== null && <WebhookSecret key={webhook.secret} secret={webhook.secret} onDone={webhook.forgetSecret} />}
      {to !== null && (
        <Connected
          channel="webhook"
          title="Webhook"
          to={to}
          lastSentAt={lastSentAt}
          problem={problem}
          draft={draft}
          destinations={destinations}
          inactive={off}
          replace={replacing ? null : { label: 'Replace URL', onReplace: () => setReplacing(true) }}
          loss="Its secret stops working."
        >
          <NewSecret webhook={webhook} inactive={off} />
        </Connected>
      )}
      {(to === null || replacing) && (
        <ChannelFields name="Webhook" disabled={off}>
          <WebhookAddress
            form={form}
            name="url"
            label="Server URL"
            placeholder="https://example.com/ranklark"
            hint="Must be reachable from the internet. You'll get a secret, shown once, to verify that messages come from Ranklark."
            example={locked === null ? example : null}
            onConnect={connect}
          />
          <ConnectButtons disabled={off} isBusy={webhook.isBusy} onConnect={connect} onKeep={replacing ? stopReplacing : null} />
        </ChannelFields>
      )}
      <WebhookGuide />
    </ChannelCard>
  )
}
