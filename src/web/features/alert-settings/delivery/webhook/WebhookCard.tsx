import { ChevronRight, Webhook as WebhookIcon } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { ConfirmButton } from '../../../../ui/overlay/ConfirmDialog.tsx'
import { type CardProps, useChannel } from '../card-props.ts'
import { ChannelCard, ChannelFields } from '../ChannelCard.tsx'
import { Connected } from '../Connected.tsx'
import type { Webhook } from './use-webhook.ts'
import { ConnectButtons, WebhookAddress } from './WebhookAddress.tsx'

export function WebhookCard(props: CardProps) {
  const { destinations, webhook, channels } = props
  const { to, example } = channels.webhook
  const { card, isLocked, off, replacing, replace, keep, connect } = useChannel(props, 'webhook', webhook.save)
  return (
    <ChannelCard
      icon={WebhookIcon}
      title="Webhook"
      description="Sends every alert and recovery to your own server as JSON, in real time. Frequency, severity and quiet hours don't apply."
      {...card}
    >
      {webhook.secret !== null && <WebhookSecret key={webhook.secret} secret={webhook.secret} onDone={webhook.forgetSecret} />}
      {to !== null && (
        <Connected
          {...props}
          channel="webhook"
          title="Webhook"
          to={to}
          inactive={off}
          replace={replacing ? null : { label: 'Replace URL', onReplace: replace }}
          loss="Its secret will stop working."
        >
          <NewSecret webhook={webhook} inactive={off} />
        </Connected>
      )}
      {(to === null || replacing) && (
        <ChannelFields name="Webhook" disabled={off}>
          <WebhookAddress
            form={destinations.form}
            name="url"
            label="Server URL"
            placeholder="https://example.com/ranklark"
            hint="Must be reachable from the internet. You'll get a secret, shown once, to verify that messages come from Ranklark."
            example={isLocked ? null : example}
            onConnect={connect}
          />
          <ConnectButtons disabled={off} isBusy={webhook.isBusy} onConnect={connect} onKeep={replacing ? keep : null} />
        </ChannelFields>
      )}
      <WebhookGuide />
    </ChannelCard>
  )
}

const headers = [
  { name: 'webhook-id', text: 'The message ID. It stays the same when a message is resent.' },
  { name: 'webhook-timestamp', text: 'When it was sent, as a Unix timestamp. Reject anything older than five minutes.' },
  { name: 'webhook-signature', text: '“v1,” followed by a Base64 signature. There can be several, separated by spaces.' },
]

/** Everything the receiving side's developer has to know; server/delivery/webhook implements it. */
function WebhookGuide() {
  return (
    <details className="group border-t border-line pt-3">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 rounded-control font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted transition-transform duration-150 group-open:rotate-90" />
        How to verify messages
      </summary>
      <div className="mt-2 flex flex-col gap-3 text-muted">
        <p>
          Each message is a POST with a JSON body and three headers, as defined by{' '}
          <a href="https://www.standardwebhooks.com/" target="_blank" rel="noreferrer" className="text-brand underline">
            Standard Webhooks
          </a>
          . Its libraries verify them for you.
        </p>
        <dl className="flex flex-col gap-2">
          {headers.map(({ name, text }) => (
            <div key={name}>
              <dt>
                <code className="text-text">{name}</code>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p>
          The signature is the HMAC-SHA256 of the ID, timestamp and body joined by periods, such as{' '}
          <code className="wrap-anywhere text-text">5c1d….1763730000.{'{"type":"alerts",…}'}</code>. The key is your secret: the part after{' '}
          <code className="text-text">whsec_</code>, decoded from Base64.
        </p>
        <p>
          Respond with any 2xx status. Otherwise, we retry for a day with increasing delays. A 410 stops messages for good, and redirects
          aren't followed.
        </p>
      </div>
    </details>
  )
}

/** Shown once: the server never returns it again. */
function WebhookSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section aria-labelledby={id} className="rounded-control bg-brand-soft p-4">
      <h4 ref={heading} id={id} tabIndex={-1} className="font-semibold outline-none">
        Your secret (shown only once)
      </h4>
      <p className="mt-2 wrap-anywhere">
        <code>{secret}</code>
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={secret} label="Copy secret" />
        <Button onClick={onDone}>I've saved it</Button>
      </div>
    </section>
  )
}

function NewSecret({ webhook, inactive }: { webhook: Webhook; inactive: boolean }) {
  return (
    <ConfirmButton
      disabled={inactive}
      title="Create a new secret?"
      description="The current secret stops working immediately. Until your server has the new one, it can't verify our messages."
      confirm="Create new secret"
      pending={webhook.isRenewing}
      onConfirm={(close) => void webhook.renew().then(close)}
    >
      New secret
    </ConfirmButton>
  )
}
