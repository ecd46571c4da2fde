import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { resetPasswordForm, type ResetPasswordForm as Values } from '../../../contract/account/auth.ts'
import { resetPassword } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { isRefusedLink, showAtField } from '../../api/show-at-field.ts'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'
import { NewPasswordField } from '../../widgets/NewPasswordField.tsx'

/** The target of the emailed link. Its token opens an account, so it stays neither in the address bar nor in the history. */
export function ResetPasswordPage() {
  const token = useOneTimeParam('token')
  // Somebody else had changed the account's address.
  const isUndone = useOneTimeParam('undone') !== null
  const [refusal, setRefusal] = useState<string | null>(null)
  return (
    <CardPage title="New password">
      {token === null || refusal !== null ? (
        <>
          <StepHeading title="This link doesn't work" takesFocus={refusal !== null}>
            {refusal ?? 'Open the link in the email again, or request a new one.'}
          </StepHeading>
          <Link to={paths.forgotPassword} className={buttonClass('primary', 'w-full')}>
            Request a new link
          </Link>
        </>
      ) : (
        <>
          <StepHeading title="Choose a new password">
            You'll be logged out everywhere and can log back in with your new password.
          </StepHeading>
          <ResetPasswordForm token={token} endAccess={isUndone} onRefused={setRefusal} />
        </>
      )}
    </CardPage>
  )
}

type ResetPasswordFormProps = {
  token: string
  /** Whether ending keys and Google logins is preselected: somebody else had the account. */
  endAccess: boolean
  /** The link was used or has expired; with the server's message. */
  onRefused: (message: string) => void
}

function ResetPasswordForm({ token, endAccess, onRefused }: ResetPasswordFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<Values>({
    resolver: zodResolver(resetPasswordForm),
    defaultValues: { password: '', confirmPassword: '', endAccess },
  })
  const typed = useWatch({ control: form.control, name: 'password' })
  const submit = useMutation({
    mutationFn: ({ confirmPassword: _same, ...chosen }: Values) => resetPassword({ token, ...chosen }),
    onSuccess: async () => {
      // All sessions of the account have ended; the login asks the server who is left.
      client.clear()
      toast.success('Password Changed', 'Log in with your new password.')
      await navigate(paths.login)
    },
    onError: (error) => {
      if (showAtField(form, error)) return
      const message = failureText(error, "Couldn't change your password. Please try again.")
      if (isRefusedLink(error)) onRefused(message)
      else toast.error('Password Not Changed', message)
    },
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <NewPasswordField label="New password" typed={typed} {...fieldOf(form, 'password')} />
      <Field label="Confirm new password" type="password" autoComplete="new-password" {...fieldOf(form, 'confirmPassword')} />
      <Checkbox
        label="Also revoke API keys, shared links and recovery codes, remove Google logins and alert destinations, and pause report schedules"
        {...form.register('endAccess')}
      />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Saving...' : 'Set new password'}
      </Button>
    </form>
  )
}
