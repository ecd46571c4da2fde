import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { type CardProps, lockOf, onEnter, refusalOf } from './card-props.ts'
import { ChannelCard, ChannelFields } from './ChannelCard.tsx'
import { Connected } from './Connected.tsx'
import { field } from './destination-form.ts'
import { NewSecret } from './NewSecret.tsx'
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

  function turn(webhookEnabled: boolean): void {
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
      description="Every alert and recovery as JSON for a server of yours, as soon as it happens: frequency, severities and quiet hours do not apply."
      on={settings.webhookEnabled}
      onTurn={turn}
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
          replace={replacing ? null : { label: 'Replace address', onReplace: () => setReplacing(true) }}
          loss="Its secret ends with it."
        >
          <NewSecret webhook={webhook} inactive={off} />
        </Connected>
      )}
      {(to === null || replacing) && (
        <ChannelFields name="Webhook" disabled={off}>
          <div {...onEnter(connect)}>
            <Field
              label="Address of your server"
              type="url"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://example.com/ranklark"
              hint="It has to be reachable from the internet. It comes with a secret, shown once, by which your server knows that a message is ours."
              {...field(form, 'url')}
            />
            {example !== null && locked === null && (
              <Button
                variant="quiet"
                className="mt-1 -ml-3.5 text-brand!"
                onClick={() => form.setValue('url', example, { shouldDirty: true })}
              >
                Fill in the demo address
              </Button>
            )}
          </div>
          <div className="flex flex-wrap gap-2">
            <Button variant="primary" disabled={off || webhook.isBusy} onClick={() => void connect()}>
              {webhook.isBusy ? 'Connecting...' : 'Connect'}
            </Button>
            {replacing && <Button onClick={stopReplacing}>Keep the present one</Button>}
          </div>
        </ChannelFields>
      )}
      <WebhookGuide />
    </ChannelCard>
  )
}
