import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { passwordChangeForm, type PasswordChangeForm } from '../../../contract/account/profile.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { forgotPassword } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { changePassword, sessionsQuery } from '../../api/account.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSendsMail } from '../../shell/email.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { NewPasswordField } from '../../widgets/NewPasswordField.tsx'
import { HiddenUsername, SecurityPart } from './SecurityPart.tsx'

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

const empty: PasswordChangeForm = { currentPassword: '', newPassword: '', confirmPassword: '', endAccess: false }

function PasswordForm() {
  const client = useQueryClient()
  const { username, email } = useCurrentUser()
  const form = useForm<PasswordChangeForm>({ resolver: zodResolver(passwordChangeForm), defaultValues: empty })
  const typed = useWatch({ control: form.control, name: 'newPassword' })
  const change = useMutation({
    mutationFn: ({ confirmPassword: _same, ...passwordChange }: PasswordChangeForm) => changePassword(passwordChange),
    onSuccess: async () => {
      form.reset()
      toast.success('Password Changed', "You're logged out everywhere else.")
      await client.invalidateQueries(sessionsQuery)
      await client.invalidateQueries(sessionQuery)
    },
    onError: (error) => {
      if (!showAtField(form, error))
        toast.error('Password Not Changed', failureText(error, "Couldn't change your password. Please try again."))
    },
  })
  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={form.handleSubmit((values) => change.mutate(values))}>
      <HiddenUsername />
      <Field label="Current password" type="password" autoComplete="current-password" {...fieldOf(form, 'currentPassword')} />
      <NewPasswordField label="New password" typed={typed} own={[username, email]} {...fieldOf(form, 'newPassword')} />
      <Field label="Confirm new password" type="password" autoComplete="new-password" {...fieldOf(form, 'confirmPassword')} />
      <Checkbox
        label="Also revoke API keys, shared links and recovery codes, remove Google logins and alert destinations, and pause report schedules"
        {...form.register('endAccess')}
      />
      <Button type="submit" className="self-start" disabled={change.isPending}>
        {change.isPending ? 'Changing...' : 'Change Password'}
      </Button>
    </form>
  )
}
