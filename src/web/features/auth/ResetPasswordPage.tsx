import { useState } from 'react'
import { Link } from 'react-router'
import { usePassingParam } from '../../lib/hooks/use-passing-param.ts'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { CardPage } from '../../shell/CardPage.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'
import { StepHeading } from '../../ui/StepHeading.tsx'

/** Where the link of the mail leads. Its token opens an account, so it stays neither in the address bar nor in the history. */
export function ResetPasswordPage() {
  const token = usePassingParam('token')
  // Somebody else had changed the address of the account.
  const isUndone = usePassingParam('undone') !== null
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
          <StepHeading title="Choose a new password">You'll be logged out everywhere and can log in with the new password.</StepHeading>
          <ResetPasswordForm token={token} endAccess={isUndone} onRefused={setRefusal} />
        </>
      )}
    </CardPage>
  )
}
