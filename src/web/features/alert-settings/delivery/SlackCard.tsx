import { Hash } from 'lucide-react'
import { useState } from 'react'
import { Field } from '../../../ui/form/Field.tsx'
import { type CardProps, lockOf, onEnter, refusalOf } from './card-props.ts'
import { ChannelCard, ChannelFields } from './ChannelCard.tsx'
import { Connected } from './Connected.tsx'
import { field } from './destination-form.ts'
import { ConnectButtons, WebhookAddress } from './webhook/WebhookAddress.tsx'

export function SlackCard({ plan, draft, destinations, slack, channels }: CardProps) {
  const { form } = destinations
  const { settings, change } = draft
  const { to, lastSentAt, problem, example } = channels.slack
  const [replacing, setReplacing] = useState(false)
  const locked = lockOf(plan, 'slack', channels.slack.locked)
  const off = locked !== null || !settings.slackEnabled
  const asksAddress = to === null || replacing

  function stopReplacing(): void {
    setReplacing(false)
    form.resetField('webhookUrl')
  }

  function toggle(slackEnabled: boolean): void {
    change({ slackEnabled })
    if (slackEnabled) return
    stopReplacing()
    form.resetField('channel')
  }

  async function connect(): Promise<void> {
    if (await slack.save()) setReplacing(false)
  }

  return (
    <ChannelCard
      icon={Hash}
      title="Slack"
      description="Alerts and digests in a Slack channel."
      on={settings.slackEnabled}
      onToggle={toggle}
      locked={locked}
      problem={problem}
      refusal={refusalOf(draft, 'slackEnabled')}
    >
      {to !== null && (
        <Connected
          channel="slack"
          title="Slack"
          to={to}
          lastSentAt={lastSentAt}
          problem={problem}
          draft={draft}
          destinations={destinations}
          inactive={off}
          replace={replacing ? null : { label: 'Replace webhook', onReplace: () => setReplacing(true) }}
          loss="To reconnect, you'll need a webhook URL."
        />
      )}
      <ChannelFields name="Slack" disabled={off}>
        {asksAddress && (
          <WebhookAddress
            form={form}
            name="webhookUrl"
            label="Webhook"
            placeholder="https://hooks.slack.com/services/…"
            hint="An incoming webhook URL. In Slack, create an app, turn on incoming webhooks and add one. We store the URL encrypted and never show it again."
            example={locked === null ? example : null}
            onConnect={connect}
          />
        )}
        <div {...onEnter(connect)}>
          <Field
            label="Channel"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="#seo-alerts"
            hint="Optional. A Slack app's webhook always posts to the channel it was created for. Only legacy webhooks can post to another one."
            {...field(form, 'channel')}
          />
        </div>
        {asksAddress && (
          <ConnectButtons disabled={off} isBusy={slack.isBusy} onConnect={connect} onKeep={replacing ? stopReplacing : null} />
        )}
      </ChannelFields>
    </ChannelCard>
  )
}
