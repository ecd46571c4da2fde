import { Hash } from 'lucide-react'
import { Field } from '../../../ui/form/Field.tsx'
import { type CardProps, onEnter, useChannel } from './card-props.ts'
import { ChannelCard, ChannelFields } from './ChannelCard.tsx'
import { Connected } from './Connected.tsx'
import { field } from './destination-form.ts'
import { ConnectButtons, WebhookAddress } from './webhook/WebhookAddress.tsx'

export function SlackCard(props: CardProps) {
  const { destinations, slack, channels } = props
  const { form } = destinations
  const { to, example } = channels.slack
  const { card, isLocked, off, replacing, replace, keep, connect } = useChannel(props, 'slack', slack.save)
  const asksAddress = to === null || replacing
  return (
    <ChannelCard icon={Hash} title="Slack" description="Alerts and digests in a Slack channel." {...card}>
      {to !== null && (
        <Connected
          {...props}
          channel="slack"
          title="Slack"
          to={to}
          inactive={off}
          replace={replacing ? null : { label: 'Replace webhook', onReplace: replace }}
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
            example={isLocked ? null : example}
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
        {asksAddress && <ConnectButtons disabled={off} isBusy={slack.isBusy} onConnect={connect} onKeep={replacing ? keep : null} />}
      </ChannelFields>
    </ChannelCard>
  )
}
