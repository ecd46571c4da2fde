import { useState } from 'react'
import { smsConfirmation, smsDestination } from '../../../../contract/delivery/channels.ts'
import { confirmNumber, setNumber } from '../../../api/delivery.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { checked, showErrorAt } from './destination-form.ts'
import { useAsking } from './use-asking.ts'
import type { Destinations } from './use-destinations.ts'
import type { ChannelSwitch } from './use-settings-draft.ts'

/** Where text messages go. A number counts once its owner has entered the code sent to it. */
export function useSms({ form, channels, show }: Destinations, turnOn: ChannelSwitch) {
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
      toast.success('Number Confirmed', 'Critical alerts will be sent there by text message.')
      return true
    },
    showMissing: () =>
      waitingFor === null
        ? showErrorAt(form, 'number', 'Enter a number and confirm it with the code we send')
        : showErrorAt(form, 'code', `Enter the code we sent to ${waitingFor}`),
  }
}
