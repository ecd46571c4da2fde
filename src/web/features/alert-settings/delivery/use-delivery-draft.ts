import { useState } from 'react'
import { emailDestination, slackDestination, smsConfirmation, smsDestination } from '../../../../contract/delivery/channels.ts'
import { confirmNumber, connectSlack, setEmailAddress, setNumber } from '../../../api/delivery.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { checked, showErrorAt } from './destination-form.ts'
import { useAsking } from './use-asking.ts'
import { type Destinations, useDestinations } from './use-destinations.ts'
import { type ChannelSwitch, useSettingsDraft } from './use-settings-draft.ts'
import { useWebhook } from './webhook/use-webhook.ts'

/** The delivery area: the input of `DeliverySection`, whether it has unsaved changes, and how to save it. */
export function useDeliveryDraft() {
  const { plan } = useCurrentUser()
  const draft = useSettingsDraft()
  const destinations = useDestinations()
  const email = useEmailAddress(destinations)
  const slack = useSlack(destinations, draft.switchOf('slackEnabled'))
  const sms = useSms(destinations, draft.switchOf('smsEnabled'))
  const webhook = useWebhook(destinations, draft.switchOf('webhookEnabled'))
  const { channels, typed } = destinations

  /** Saves the input like the cards' own buttons do; returns whether all of it is valid. */
  async function saveTyped(): Promise<boolean> {
    if (typed.address && !(await email.save())) return false
    if ((typed.webhookUrl || typed.channel) && !(await slack.save())) return false
    if (typed.code && !(await sms.confirm())) return false
    if (typed.url && !(await webhook.save())) return false
    if (!typed.number) return true
    // A number gets no messages before its code is entered: sending the code isn't saving yet.
    await sms.sendCode()
    return false
  }

  /** A channel that was switched on needs a destination. */
  function showMissing(): boolean {
    const { settings, saved } = draft
    const turnedOn = (name: 'slackEnabled' | 'smsEnabled' | 'webhookEnabled') => settings[name] && !saved[name]
    if (turnedOn('slackEnabled') && channels?.slack.to === null && !typed.webhookUrl) slack.showMissing()
    else if (turnedOn('smsEnabled') && channels?.sms.to === null && !typed.code && !typed.number) sms.showMissing()
    else if (turnedOn('webhookEnabled') && channels?.webhook.to === null && !typed.url) webhook.showMissing()
    else return false
    return true
  }

  return {
    plan,
    draft,
    destinations,
    email,
    slack,
    sms,
    webhook,
    isDirty: draft.isDirty || Object.keys(typed).length > 0,
    /** Returns whether everything is saved; if not, the problem has been shown, at its field if there is one. */
    async save(): Promise<boolean> {
      return !showMissing() && (await saveTyped()) && draft.save()
    },
  }
}
export type DeliveryDraft = ReturnType<typeof useDeliveryDraft>

/** Where alert emails go, and another address pending confirmation. */
function useEmailAddress({ form, channels, account, show }: Destinations) {
  const setting = useAsking({
    form,
    call: setEmailAddress,
    done: (now) => {
      show(now, 'address')
      const { waitingFor: asked, to: goesTo } = now.email
      if (asked !== null) toast.success('Email Sent', `We sent a confirmation email to ${asked}.`)
      else toast.success('Address Saved', `Notifications go to ${goesTo}.`)
    },
    failed: { title: 'Address Not Saved', text: 'The address could not be saved. Please try again.' },
  })
  const { waitingFor = null, to = null } = channels?.email ?? {}

  return {
    isBusy: setting.isPending,
    /** The input: empty means the account's own address. */
    async save(): Promise<boolean> {
      const typed = form.getValues('address').trim()
      const body = checked(form, emailDestination, { address: typed === '' ? null : typed })
      return body !== null && setting.ask(body.address)
    },
    async resend(): Promise<void> {
      if (waitingFor !== null) await setting.ask(waitingFor)
    },
    /** Returns to the address used meanwhile. */
    async cancel(): Promise<void> {
      await setting.ask(to === account ? null : to)
    },
  }
}

/** The incoming webhook for messages, and the channel to post to with an older one. */
function useSlack({ form, channels, typed, show }: Destinations, turnOn: ChannelSwitch) {
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

/** Where text messages go. A number counts once its owner has entered the code sent to it. */
function useSms({ form, channels, show }: Destinations, turnOn: ChannelSwitch) {
  const [codeSentTo, setCodeSentTo] = useState<string | null>(null)
  const sending = useAsking({
    form,
    call: setNumber,
    done: (now) => {
      show(now, 'number', 'code')
      const sentTo = now.sms.waitingFor
      setCodeSentTo(sentTo)
      if (sentTo !== null) toast.success('Code Sent', `Enter the code we sent to ${sentTo}.`)
    },
    failed: { title: 'Code Not Sent', text: 'The code could not be sent. Please try again.' },
  })
  const confirming = useAsking({
    form,
    call: confirmNumber,
    done: async (now) => {
      show(now, 'code')
      await turnOn.done()
    },
    failed: { title: 'Number Not Confirmed', text: 'The number could not be confirmed. Please try again.' },
  })
  const waitingFor = channels?.sms.waitingFor ?? null

  return {
    /** The number that was sent a code from here, while it is pending. */
    codeSentTo: codeSentTo === waitingFor ? codeSentTo : null,
    isSending: sending.isPending,
    isConfirming: confirming.isPending,
    async sendCode(): Promise<boolean> {
      const body = checked(form, smsDestination, { number: form.getValues('number') })
      return body !== null && sending.ask(body.number)
    },
    async confirm(): Promise<boolean> {
      const body = checked(form, smsConfirmation, { code: form.getValues('code') })
      if (body === null || !(await turnOn.prepare()) || !(await confirming.ask(body.code))) return false
      toast.success('Number Confirmed', "We'll text critical alerts to this number.")
      return true
    },
    showMissing: () =>
      waitingFor === null
        ? showErrorAt(form, 'number', 'Enter a number and confirm it with the code we send')
        : showErrorAt(form, 'code', `Enter the code we sent to ${waitingFor}`),
  }
}
