import { CircleCheck, CircleDashed } from 'lucide-react'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSendsMail } from '../../shell/use-sends-mail.ts'
import { useSendVerification } from '../../shell/use-send-verification.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'

/** Whether the saved address is confirmed, and what to do where it is not. */
export function AddressState() {
  const { email, emailVerified } = useCurrentUser()
  const send = useSendVerification(email)
  const sendsMail = useSendsMail()
  if (emailVerified) {
    return (
      <Badge tone="positive" icon={<CircleCheck aria-hidden />} className="mt-2">
        Confirmed
      </Badge>
    )
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-1">
      <Badge tone="warning" icon={<CircleDashed aria-hidden />}>
        Not confirmed
      </Badge>
      {sendsMail ? (
        <Button variant="quiet" className="text-brand!" disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending...' : 'Send the email again'}
        </Button>
      ) : (
        <p className="mt-1.5 text-sm text-muted">{noMailText}</p>
      )}
    </div>
  )
}
