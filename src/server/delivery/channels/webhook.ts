import { webhookRefusal } from '../../../core/billing/entitlements.ts'
import type { Person } from '../../accounts/service.ts'
import type { Config } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'
import type { ChannelsStore, HeldInHand } from './store.ts'
import type { Connecting } from './connecting.ts'
import { readWebhookDestination, webhookDestinationText } from '../webhook/destination.ts'
import { newSecret } from '../webhook/signature.ts'
import { checkedWebhookUrl, shownWebhookUrl } from '../webhook/webhook-url.ts'

export type WebhookDestinationDeps = { store: ChannelsStore; connecting: Connecting; webhooks: Config['webhooks'] }

/** Where messages for software go: a URL, and a secret that proves their origin. */
export function createWebhookDestination({ store, connecting, webhooks }: WebhookDestinationDeps) {
  /** Every change creates a new secret, shown now or never. */
  async function connect(person: Person, urlOf: (inHand: HeldInHand) => string): Promise<string> {
    const secret = newSecret()
    await store.change(person, 'webhook', async (inHand) => {
      const uncovered = webhookRefusal(inHand.plan)
      if (uncovered !== null) throw new Refusal(403, uncovered)
      const url = urlOf(inHand)
      await connecting.connect(person.id, 'webhook', inHand, {
        destination: webhookDestinationText({ url, secret }),
        shown: shownWebhookUrl(url),
      })
    })
    await connecting.changed(person.id)
    return secret
  }

  return {
    /** @throws Refusal 403 because of the plan, 400 for a disallowed URL; returns the secret */
    set(person: Person, typed: string): Promise<string> {
      return connect(person, () => checkedWebhookUrl(webhooks, typed))
    },

    /** @throws Refusal 403 because of the plan, 409 without a URL; returns the new secret and voids the old one */
    newSecret(person: Person): Promise<string> {
      return connect(person, ({ held }) => {
        const there = held.destination === null ? null : readWebhookDestination(held.destination)
        if (there === null) throw new Refusal(409, 'There is no webhook yet. Enter your server URL first.')
        return there.url
      })
    },
  }
}
