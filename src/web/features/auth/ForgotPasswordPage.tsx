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
          <StepHeading title="Forgot password">
            A new password is set with a link from an email. {noMailText} Ask them for help.
          </StepHeading>
          <Link to={paths.login} className={buttonClass('secondary', 'w-full')}>
            Back to the login
          </Link>
        </>
      ) : asked ? (
        <>
          <StepHeading title="Check your mail" takesFocus>
            <output className="block">If an account uses this address, a mail with a link is on its way.</output>
            <p className="mt-2">The link sets a new password and works once, within an hour.</p>
          </StepHeading>
          <Link to={paths.login} className={buttonClass('secondary', 'w-full')}>
            Back to the login
          </Link>
        </>
      ) : (
        <>
          <StepHeading title="Forgot password">
            Enter the e-mail address of your account to get a link that sets a new password.
          </StepHeading>
          <ForgotPasswordForm onAsked={() => setAsked(true)} />
        </>
      )}
    </CardPage>
  )
}
