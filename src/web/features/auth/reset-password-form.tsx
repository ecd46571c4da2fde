import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { resetPasswordForm, type ResetPasswordForm as Values } from '../../../contract/account.ts'
import { resetPassword } from '../../api/account.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { toast } from '../../ui/toast.ts'

type ResetPasswordFormProps = {
  token: string
  /** The link was used or has expired; in the server's words. */
  onRefused: (message: string) => void
}

export function ResetPasswordForm({ token, onRefused }: ResetPasswordFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<Values>({ resolver: zodResolver(resetPasswordForm), defaultValues: { password: '', confirmPassword: '' } })
  const { errors } = form.formState
  const submit = useMutation({
    mutationFn: ({ password }: Values) => resetPassword({ token, password }),
    onSuccess: async () => {
      // Every session of the account has ended; the login asks the server who is left.
      client.clear()
      toast.success('Password Changed', 'Log in with your new password.')
      await navigate(paths.login)
    },
    onError: (error) => {
      if (showAtField(form, error)) return
      const message = failureText(error, 'The password could not be changed. Please try again.')
      if (error instanceof ApiFailure && error.problem?.field === 'token') onRefused(message)
      else toast.error('Password Not Changed', message)
    },
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={!errors.password && 'At least 6 characters'}
        error={errors.password?.message}
        {...form.register('password')}
      />
      <Field
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Saving...' : 'Set new password'}
      </Button>
    </form>
  )
}
