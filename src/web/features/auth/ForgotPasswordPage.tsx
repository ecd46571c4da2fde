import { useState } from 'react'
import { Link } from 'react-router'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { paths } from '../../paths.ts'
import { useSendsMail } from '../../shell/use-sends-mail.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { CardPage } from '../../shell/CardPage.tsx'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { StepHeading } from '../../ui/StepHeading.tsx'

export function ForgotPasswordPage() {
  const [asked, setAsked] = useState(false)
  const sendsMail = useSendsMail()
  return (
    <CardPage title="Forgot password">
      {!sendsMail ? (
        <>
          <StepHeading title="Forgot password">You set a new password with a link we email you. {noMailText}</StepHeading>
          <Link to={paths.login} className={buttonClass('secondary', 'w-full')}>
            Back to login
          </Link>
        </>
      ) : asked ? (
        <>
          <StepHeading title="Check your email" takesFocus>
            <output className="block">If an account uses this address, we've emailed it a link.</output>
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
