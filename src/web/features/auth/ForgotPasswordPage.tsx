import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { forgotPasswordForm, type ForgotPasswordForm as Values } from '../../../contract/account/auth.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { forgotPassword } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { useSendsMail } from '../../shell/email.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'

export function ForgotPasswordPage() {
  const [asked, setAsked] = useState(false)
  const sendsMail = useSendsMail()
  return (
    <CardPage title="Forgot password">
      {!sendsMail ? (
        <>
          <StepHeading title="Forgot password">To reset your password, you need a link sent by email. {noMailText}</StepHeading>
          <Link to={paths.login} className={buttonClass('secondary', 'w-full')}>
            Back to login
          </Link>
        </>
      ) : asked ? (
        <>
          <StepHeading title="Check your email" takesFocus>
            <output className="block">If there's an account with this address, we've emailed you a link.</output>
            <p className="mt-2">Use it to set a new password. It works once and expires in an hour.</p>
          </StepHeading>
          <Link to={paths.login} className={buttonClass('secondary', 'w-full')}>
            Back to login
          </Link>
        </>
      ) : (
        <>
          <StepHeading title="Forgot password">
            Enter your account's email address and we'll send you a link to set a new password.
          </StepHeading>
          <ForgotPasswordForm onAsked={() => setAsked(true)} />
        </>
      )}
    </CardPage>
  )
}

function ForgotPasswordForm({ onAsked }: { onAsked: () => void }) {
  const form = useForm<Values>({ resolver: zodResolver(forgotPasswordForm), defaultValues: { email: '' } })
  const submit = useMutation({
    mutationFn: forgotPassword,
    onSuccess: onAsked,
    onError: (error) => toast.error('Email Not Sent', failureText(error, "Couldn't send the email. Please try again.")),
  })
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      <Field label="Email" type="email" autoComplete="email" {...fieldOf(form, 'email')} />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Sending...' : 'Send link'}
      </Button>
      <Link to={paths.login} className={buttonClass('quiet', 'self-center')}>
        Back to login
      </Link>
    </form>
  )
}
