import { useEffect } from 'react'
import { usePassingParam } from '../../lib/hooks/use-passing-param.ts'
import { useSendsMail } from '../../shell/use-sends-mail.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Says why signing in with Google led back here (`error=`), and clears the address of it. */
export function useAuthFailure(): void {
  const error = usePassingParam('error')
  const sendsMail = useSendsMail()
  useEffect(() => {
    if (error === 'auth_failed') {
      toast.error('Authentication Failed', 'There was an issue connecting with Google. Please try again.')
    } else if (error === 'confirm_first') {
      toast.error(
        'Log in to connect Google',
        `An account with this address already exists. Log in with its password${sendsMail ? ', or use "Forgot password?" to prove the address is yours' : ''}.`,
      )
    } else if (error === 'only_synced') {
      toast.error(
        'Log in with your password',
        'This Google account syncs data but can\'t log in. Log in with your password, then add it in Account under "Log in with Google".',
      )
    }
  }, [error, sendsMail])
}
