import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { resetPasswordForm, type ResetPasswordForm as Values } from '../../../contract/account.ts'
import { resetPassword } from '../../api/account.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { NewPasswordField } from '../../widgets/NewPasswordField.tsx'

type ResetPasswordFormProps = {
  token: string
  /** Whether to begin with ending keys and Google logins, too: somebody else had the account. */
  endAccess: boolean
  /** The link was used or has expired; in the server's words. */
  onRefused: (message: string) => void
}

export function ResetPasswordForm({ token, endAccess, onRefused }: ResetPasswordFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<Values>({
    resolver: zodResolver(resetPasswordForm),
    defaultValues: { password: '', confirmPassword: '', endAccess },
  })
  const { errors } = form.formState
  const typed = useWatch({ control: form.control, name: 'password' })
  const submit = useMutation({
    mutationFn: ({ confirmPassword: _same, ...chosen }: Values) => resetPassword({ token, ...chosen }),
    onSuccess: async () => {
      // Every session of the account has ended; the login asks the server who is left.
      client.clear()
      toast.success('Password Changed', 'Log in with your new password.')
      await navigate(paths.login)
    },
    onError: (error) => {
      if (showAtField(form, error)) return
      const message = failureText(error, "Couldn't change your password. Please try again.")
      if (error instanceof ApiFailure && error.problem?.field === 'token') onRefused(message)
      else toast.error('Password Not Changed', message)
    },
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <NewPasswordField label="New password" typed={typed} error={errors.password?.message} {...form.register('password')} />
      <Field
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Checkbox
        label="Also revoke API keys, Google logins, shared links and alert destinations, and pause report schedules"
        {...form.register('endAccess')}
      />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Saving...' : 'Set new password'}
      </Button>
    </form>
  )
}
