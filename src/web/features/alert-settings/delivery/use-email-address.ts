import { emailDestination } from '../../../../contract/delivery/channels.ts'
import { setEmailAddress } from '../../../api/delivery.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { checked } from './destination-form.ts'
import { useAsking } from './use-asking.ts'
import type { Destinations } from './use-destinations.ts'

/** Where alert emails go, and another address pending confirmation. */
export function useEmailAddress({ form, channels, account, show }: Destinations) {
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
