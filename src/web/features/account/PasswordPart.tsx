import { useMutation } from '@tanstack/react-query'
import { forgotPassword } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSendsMail } from '../../shell/use-sends-mail.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { PasswordForm } from './password-form.tsx'
import { SecurityPart } from './SecurityPart.tsx'

export function PasswordPart() {
  const { hasPassword, emailVerified, twoFactorEnabled } = useCurrentUser()
  const sendsMail = useSendsMail()
  return hasPassword ? (
    <SecurityPart
      title="Password"
      description={`Changing your password logs you out everywhere else${twoFactorEnabled ? ' and clears your trusted browsers' : ''}.`}
    >
      <PasswordForm />
    </SecurityPart>
  ) : (
    <SecurityPart
      title="Password"
      description={`You log in with Google. Set a password to log in without Google, too. ${!sendsMail ? noMailText : emailVerified ? "We'll email you a link." : 'Confirm your email address first.'}`}
    >
      {sendsMail && emailVerified && <SetPassword />}
    </SecurityPart>
  )
}

function SetPassword() {
  const { email } = useCurrentUser()
  const send = useMutation({
    mutationFn: () => forgotPassword({ email }),
    onSuccess: () => toast.success('Email Sent', `We sent a link to ${email}.`),
    onError: (error) => toast.error('Email Not Sent', failureText(error, "Couldn't send the email. Please try again.")),
  })
  return (
    <Button disabled={send.isPending} onClick={() => send.mutate()}>
      {send.isPending ? 'Sending...' : 'Set a password'}
    </Button>
  )
}
