import { useState } from 'react'
import { webhookDestination } from '../../../../../contract/delivery/channels.ts'
import { connectWebhook, newWebhookSecret } from '../../../../api/delivery.ts'
import { checked, showErrorAt } from '../destination-form.ts'
import { useAsking } from '../use-asking.ts'
import type { Destinations } from '../use-destinations.ts'
import type { ChannelSwitch } from '../use-settings-draft.ts'

/** The customer's server that receives everything, and the secret that identifies us to it. */
export function useWebhook({ form, show }: Destinations, turnOn: ChannelSwitch) {
  /** Shown once, and gone with the screen. */
  const [secret, setSecret] = useState<string | null>(null)
  const connecting = useAsking({
    form,
    call: connectWebhook,
    done: async ({ channels, secret: shown }) => {
      setSecret(shown)
      show(channels, 'url')
      await turnOn.done()
    },
    failed: { title: 'Webhook Not Connected', text: 'The webhook could not be connected. Please try again.' },
  })
  const renewing = useAsking({
    form,
    call: () => newWebhookSecret(),
    done: ({ channels, secret: shown }) => {
      setSecret(shown)
      show(channels)
    },
    failed: { title: 'Secret Not Changed', text: 'The secret could not be changed. Please try again.' },
  })

  return {
    secret,
    forgetSecret: () => setSecret(null),
    isBusy: connecting.isPending,
    isRenewing: renewing.isPending,
    renew: () => renewing.ask(undefined),
    async save(): Promise<boolean> {
      const body = checked(form, webhookDestination, { url: form.getValues('url') })
      return body !== null && (await turnOn.prepare()) && connecting.ask(body.url)
    },
    showMissing: () => showErrorAt(form, 'url', 'Enter your server URL'),
  }
}
export type Webhook = ReturnType<typeof useWebhook>
