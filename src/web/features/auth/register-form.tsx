import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { registrationForm, type RegistrationForm } from '../../../contract/account.ts'
import { failureText } from '../../api/client.ts'
import { register, showUser } from '../../api/session.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { NewPasswordField } from '../../widgets/NewPasswordField.tsx'

const empty: RegistrationForm = { username: '', email: '', password: '', confirmPassword: '' }

/** Once somebody is registered they are signed in, and the page around this form sends them on. */
export function RegisterForm({ onRegistered }: { onRegistered: () => void }) {
  const client = useQueryClient()
  const form = useForm<RegistrationForm>({ resolver: zodResolver(registrationForm), defaultValues: empty })
  const { errors } = form.formState
  const typed = useWatch({ control: form.control, name: 'password' })
  const own = useWatch({ control: form.control, name: ['username', 'email'] })
  const submit = useMutation({
    mutationFn: ({ username, email, password }: RegistrationForm) => register({ username, email, password }),
    onSuccess: async (user) => {
      toast.success('Registration Successful', 'Your account has been created successfully.')
      onRegistered()
      await showUser(client, user)
    },
    onError: (error) => {
      toast.error('Registration Failed', failureText(error, 'There was an error creating your account'))
      showAtField(form, error)
    },
  })

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <Field
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      <Field label="Email" type="email" autoComplete="email" error={errors.email?.message} {...form.register('email')} />
      <NewPasswordField label="Password" typed={typed} own={own} error={errors.password?.message} {...form.register('password')} />
      <Field
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword?.message}
        {...form.register('confirmPassword')}
      />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Creating Account...' : 'Create Account'}
      </Button>
    </form>
  )
}
