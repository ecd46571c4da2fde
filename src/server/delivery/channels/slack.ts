import type { z } from 'zod'
import type { slackDestination } from '../../../contract/delivery/channels.ts'
import { slackRefusal } from '../../../core/billing/entitlements.ts'
import type { Person } from '../../accounts/service.ts'
import type { Config } from '../../config.ts'
import { Refusal } from '../../common/errors.ts'
import type { ChannelsStore } from './store.ts'
import type { Connecting } from './connecting.ts'
import { checkedSlackUrl, shownSlackUrl } from '../slack/slack-url.ts'

export type SlackDestinationDeps = { store: ChannelsStore; connecting: Connecting; slack: Config['slack'] }

/** Where Slack messages go: an incoming webhook, and the channel to post to with an older one. */
export function createSlackDestination({ store, connecting, slack }: SlackDestinationDeps) {
  return {
    /**
     * Without a URL the current one stays, and likewise the channel.
     * @throws Refusal 403 because of the plan, 400 for a URL that isn't a Slack webhook
     */
    async set(person: Person, { webhookUrl, channel }: z.infer<typeof slackDestination>): Promise<void> {
      if (channel === '#' || channel === '@') throw new Refusal(400, 'Enter a channel name without spaces, such as #seo-alerts', 'channel')
      const url = webhookUrl === undefined ? null : checkedSlackUrl(slack, webhookUrl)
      await store.change(person, 'slack', async (inHand) => {
        const uncovered = slackRefusal(inHand.plan)
        if (uncovered !== null) throw new Refusal(403, uncovered)
        const destination = url ?? inHand.held.destination
        if (destination === null) throw new Refusal(400, 'Paste an incoming webhook URL', 'webhookUrl')
        const extra = channel === undefined ? inHand.held.extra : channel || null
        await connecting.connect(person.id, 'slack', inHand, { destination, shown: shownSlackUrl(destination), extra })
      })
      await connecting.changed(person.id)
    },
  }
}
