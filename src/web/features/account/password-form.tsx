import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { passwordChangeForm, type PasswordChangeForm } from '../../../contract/account.ts'
import { failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { changePassword, sessionsQuery } from '../../api/user.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { toast } from '../../ui/toast.ts'
import { HiddenUsername } from './HiddenUsername.tsx'

const empty: PasswordChangeForm = { currentPassword: '', newPassword: '', confirmPassword: '' }

export function PasswordForm() {
  const client = useQueryClient()
  const form = useForm<PasswordChangeForm>({ resolver: zodResolver(passwordChangeForm), defaultValues: empty })
  const { errors } = form.formState
  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: PasswordChangeForm) => changePassword({ currentPassword, newPassword }),
    onSuccess: async () => {
      form.reset()
      toast.success('Password Changed', 'You are logged out everywhere but here.')
      await client.invalidateQueries(sessionsQuery)
    },
    onError: (error) => {
      if (!showAtField(form, error))
        toast.error('Password Not Changed', failureText(error, 'The password could not be changed. Please try again.'))
    },
  })
  return (
    <form noValidate className="flex max-w-md flex-col gap-4" onSubmit={form.handleSubmit((values) => change.mutate(values))}>
      <HiddenUsername />
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        hint={!errors.newPassword && 'At least 6 characters'}
        error={errors.newPassword?.message}
        {...form.register('newPassword')}
      />
      <Field
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Button type="submit" className="self-start" disabled={change.isPending}>
        {change.isPending ? 'Changing...' : 'Change Password'}
      </Button>
    </form>
  )
}
