import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { forgotPasswordForm, type ForgotPasswordForm as Values } from '../../../contract/account.ts'
import { forgotPassword } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'

export function ForgotPasswordForm({ onAsked }: { onAsked: () => void }) {
  const form = useForm<Values>({ resolver: zodResolver(forgotPasswordForm), defaultValues: { email: '' } })
  const submit = useMutation({
    mutationFn: forgotPassword,
    onSuccess: onAsked,
    onError: (error) => toast.error('Email Not Sent', failureText(error, "Couldn't send the email. Please try again.")),
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <Field label="Email" type="email" autoComplete="email" error={form.formState.errors.email?.message} {...form.register('email')} />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Sending...' : 'Send link'}
      </Button>
      <Link to={paths.login} className={buttonClass('quiet', 'self-center')}>
        Back to login
      </Link>
    </form>
  )
}
