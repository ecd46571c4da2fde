import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { readStored, writeStored } from '../lib/storage.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { useCurrentUser } from './current-user.ts'
import { useSendVerification } from './use-send-verification.ts'

const key = 'ranklark-confirm-address-dismissed'

/** Asks to confirm the e-mail address, which can wait: nothing is barred meanwhile. */
export function ConfirmAddressBanner() {
  const { email, emailVerified } = useCurrentUser()
  // The address it was dismissed for: another one has to be confirmed again.
  const [dismissed, setDismissed] = useState(() => readStored(() => sessionStorage, key))
  const send = useSendVerification(email)
  if (emailVerified || dismissed === email) return null

  function dismiss() {
    writeStored(() => sessionStorage, key, email)
    setDismissed(email)
  }

  return (
    <Banner
      tone="warning"
      label="E-mail address"
      icon={<MailCheck aria-hidden />}
      dismiss={{ label: 'Dismiss e-mail notice', onDismiss: dismiss }}
      action={
        <Button disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending...' : 'Send again'}
        </Button>
      }
    >
      <p className="break-words">
        <strong className="font-semibold">Confirm your e-mail address:</strong> we sent a mail to {email}.
      </p>
    </Banner>
  )
}
