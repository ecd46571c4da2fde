import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { undoEmail } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { isRefusedLink } from '../../api/show-at-field.ts'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'

/** The target of the link in emails about a changed address, or a second factor turned on. Requires pressing a button, as programs open links too. */
export function UndoEmailPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const token = useOneTimeParam('token')
  const undo = useMutation({
    mutationFn: undoEmail,
    onSuccess: async (undone) => {
      // All sessions of the account have ended.
      client.clear()
      toast.success('Change Undone', `Your account uses ${undone.email}. Now choose a new password.`)
      await navigate(`${paths.resetPassword}?token=${encodeURIComponent(undone.token)}&undone=1`)
    },
    onError: (error) => {
      if (!isRefusedLink(error)) toast.error('Change Not Undone', failureText(error, "Couldn't undo the change. Please try again."))
    },
  })
  return (
    <CardPage title="Undo a change to your account">
      {token === null || isRefusedLink(undo.error) ? (
        <>
          <StepHeading title="This link doesn't work" takesFocus={undo.isError}>
            {undo.error === null ? 'Open the link in the email again.' : failureText(undo.error)}
          </StepHeading>
          <Link to={paths.login} className={buttonClass('primary', 'w-full')}>
            Log in
          </Link>
        </>
      ) : (
        <>
          <StepHeading title="Undo the change to your account?">
            Your account will use the address we emailed this link to. Everyone will be logged out, the password, Google logins and any
            recently enabled two-factor authentication will stop working, and you'll choose a new password.
          </StepHeading>
          <Button variant="primary" className="w-full" disabled={undo.isPending} onClick={() => undo.mutate(token)}>
            {undo.isPending ? 'Undoing...' : 'Undo the change'}
          </Button>
        </>
      )}
    </CardPage>
  )
}
