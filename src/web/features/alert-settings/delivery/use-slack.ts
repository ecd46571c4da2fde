import { slackDestination } from '../../../../contract/delivery/channels.ts'
import { connectSlack } from '../../../api/delivery.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { checked, showErrorAt } from './destination-form.ts'
import { useAsking } from './use-asking.ts'
import type { Destinations } from './use-destinations.ts'
import type { ChannelSwitch } from './use-settings-draft.ts'

/** The incoming webhook for messages, and the channel to post to with an older one. */
export function useSlack({ form, channels, typed, show }: Destinations, turnOn: ChannelSwitch) {
  const isConnected = channels !== undefined && channels.slack.to !== null
  const connecting = useAsking({
    form,
    call: connectSlack,
    done: async (now) => {
      show(now, 'webhookUrl', 'channel')
      await turnOn.done()
    },
    failed: { title: 'Slack Not Connected', text: 'Slack could not be connected. Please try again.' },
  })

  return {
    isBusy: connecting.isPending,
    /** The input; without another one, the current webhook stays. */
    async save(): Promise<boolean> {
      const { webhookUrl, channel } = form.getValues()
      const keeps = isConnected && webhookUrl.trim() === ''
      const body = checked(form, slackDestination, {
        ...(!keeps && { webhookUrl }),
        ...(typed.channel && { channel: channel.trim() === '' ? null : channel }),
      })
      if (body === null || !(await turnOn.prepare()) || !(await connecting.ask(body))) return false
      if (keeps) toast.success('Channel Saved')
      else toast.success('Slack Connected', 'Send a test message to check it.')
      return true
    },
    showMissing: () => showErrorAt(form, 'webhookUrl', 'Paste an incoming webhook URL'),
  }
}
