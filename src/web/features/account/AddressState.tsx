import { CircleCheck, CircleDashed } from 'lucide-react'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSendsMail } from '../../shell/use-sends-mail.ts'
import { useSendVerification } from '../../shell/use-send-verification.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'

/** Whether the saved address is confirmed, and what to do where it is not. */
export function AddressState() {
  const { email, emailVerified, pendingEmail } = useCurrentUser()
  const send = useSendVerification(pendingEmail ?? email)
  const sendsMail = useSendsMail()
  if (emailVerified && pendingEmail === null) {
    return (
      <Badge tone="positive" icon={<CircleCheck aria-hidden />} className="mt-2">
        Confirmed
      </Badge>
    )
  }
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-1">
      <Badge tone="warning" icon={<CircleDashed aria-hidden />}>
        {pendingEmail === null ? 'Not confirmed' : 'Waiting for confirmation'}
      </Badge>
      {sendsMail ? (
        <Button variant="quiet" className="text-brand!" disabled={send.isPending} onClick={() => send.mutate()}>
          {send.isPending ? 'Sending...' : 'Resend email'}
        </Button>
      ) : (
        <p className="mt-1.5 text-sm text-muted">{noMailText}</p>
      )}
      {pendingEmail !== null && (
        <p className="mt-1.5 basis-full text-sm text-muted">
          Your account keeps using <span className="break-all">{email}</span> until you open the link we sent to{' '}
          <span className="break-all">{pendingEmail}</span>. The link expires in 24 hours. To cancel, enter your current address and save.
        </p>
      )}
    </div>
  )
}
