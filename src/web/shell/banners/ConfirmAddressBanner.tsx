import { MailCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { useCurrentUser } from '../current-user.ts'
import { useSendsMail, useSendVerification, waitingAlertsText } from '../email.ts'

const WaitingAlerts = lazy(async () => ({ default: (await import('./LaterBanners.tsx')).WaitingAlerts }))

const key = 'ranklark-confirm-address-dismissed'

/** Asks to confirm the email address. Can be dismissed unless alerts are waiting for it. */
export function ConfirmAddressBanner() {
  const { email, emailVerified } = useCurrentUser()
  const sendsMail = useSendsMail()
  const [waiting, setWaiting] = useState(0)
  // The address it was dismissed for: another one has to be confirmed again.
  const [dismissed, setDismissed] = useState(() => readStored(() => sessionStorage, key))
  const send = useSendVerification(email)
  if (emailVerified || !sendsMail) return null
  const count = (
    <Suspense>
      <WaitingAlerts onChange={setWaiting} />
    </Suspense>
  )
  if (dismissed === email && waiting === 0) return count

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
      {count}
    </Banner>
  )
}
