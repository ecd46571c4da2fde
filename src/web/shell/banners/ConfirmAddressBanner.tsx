import { useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { channelsQuery } from '../../api/delivery.ts'
import { deliveryQuery } from '../../api/delivery.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { waitingAlertsText } from '../../widgets/delivery/delivery-settings.ts'
import { useCurrentUser } from '../current-user.ts'
import { useSendsMail, useSendVerification } from '../email.ts'

const key = 'ranklark-confirm-address-dismissed'

/** Asks to confirm the email address. Can be dismissed unless alerts are waiting for it. */
export function ConfirmAddressBanner() {
  const { email, emailVerified, plan } = useCurrentUser()
  const sendsMail = useSendsMail()
  const { data: channels } = useQuery(channelsQuery(plan))
  const { data: settings } = useQuery(deliveryQuery(plan))
  // The address it was dismissed for: another one has to be confirmed again.
  const [dismissed, setDismissed] = useState(() => readStored(() => sessionStorage, key))
  const send = useSendVerification(email)
  const waiting = settings?.emailEnabled === false ? 0 : (channels?.email.unconfirmed?.alerts ?? 0)
  if (emailVerified || !sendsMail || (dismissed === email && waiting === 0)) return null

  function dismiss() {
    writeStored(() => sessionStorage, key, email)
    setDismissed(email)
  }

  return (
    <Banner
      tone="warning"
      label="Email address"
      icon={<MailCheck aria-hidden />}
      {...(waiting === 0 && { dismiss: { label: 'Dismiss email notice', onDismiss: dismiss } })}
      action={
        <Button disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending...' : 'Send again'}
        </Button>
      }
    >
      <p className="break-words">
        <strong className="font-semibold">Confirm your email address:</strong> we sent a link to {email}. {waitingAlertsText(waiting)}
      </p>
    </Banner>
  )
}
