import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { verifyEmail } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { reloadChannels } from '../../api/delivery.ts'
import { isRefusedLink } from '../../api/show-at-field.ts'
import { sessionQuery } from '../../api/session.ts'
import { returnState } from '../../lib/addresses.ts'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { useSendVerification } from '../../shell/email.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'

/**
 * The target of the emailed link. Requires pressing a button, as mail scanners open links too, and being logged in to the account: somebody
 * else may have created it, and know its password.
 */
export function VerifyEmailPage() {
  const client = useQueryClient()
  const token = useOneTimeParam('token')
  const { data: session } = useQuery(sessionQuery)
  const confirm = useMutation({
    mutationFn: verifyEmail,
    onSuccess: () => Promise.all([client.invalidateQueries(sessionQuery), reloadChannels(client)]),
    onError: (error) => {
      if (!isRefusedLink(error))
        toast.error('Address Not Confirmed', failureText(error, "Couldn't confirm your address. Please try again."))
    },
  })

  return (
    <CardPage title="Confirm your email address">
      {confirm.isSuccess ? (
        <Confirmed email={confirm.data} />
      ) : token === null || isRefusedLink(confirm.error) ? (
        <Refused message={confirm.error && failureText(confirm.error, 'This link has expired or was already used.')} />
      ) : session === undefined ? null : !session.authenticated ? (
        <>
          <StepHeading title="Log in to confirm your email address">
            To confirm this address, log in to the account that uses it. Didn't create it? Close this page, and your address won't be used.
          </StepHeading>
          <Link
            to={paths.login}
            state={returnState({ pathname: paths.verifyEmail, search: `?${new URLSearchParams({ token })}` })}
            className={buttonClass('primary', 'w-full')}
          >
            Log in
          </Link>
        </>
      ) : (
        <>
          <StepHeading title="Confirm your email address">
            We'll send alerts to this address, and you can use it to reset your password.
          </StepHeading>
          <Button variant="primary" className="w-full" disabled={confirm.isPending} onClick={() => confirm.mutate(token)}>
            {confirm.isPending ? 'Confirming...' : 'Confirm address'}
          </Button>
        </>
      )}
    </CardPage>
  )
}

function Confirmed({ email }: { email: string | null }) {
  return (
    <>
      <StepHeading title="Address confirmed" takesFocus>
        {email === null ? 'Your address' : <strong className="font-semibold text-text">{email}</strong>} is confirmed. Thank you.
      </StepHeading>
      <Link to={paths.dashboard} className={buttonClass('primary', 'w-full')}>
        Go to the dashboard
      </Link>
    </>
  )
}

function Refused({ message }: { message: string | null }) {
  const { data: session } = useQuery(sessionQuery)
  const user = session?.user ?? null
  return (
    <>
      <StepHeading title="This link doesn't work" takesFocus={message !== null}>
        {message ?? 'Open the link in the email again.'}
        {user?.emailVerified === true && ` Your account's address, ${user.email}, is confirmed.`}
      </StepHeading>
      {user?.emailVerified === false && session?.mail === true ? (
        <SendAgain email={user.email} />
      ) : (
        <Link to={user === null ? paths.login : paths.dashboard} className={buttonClass('primary', 'w-full')}>
          {user !== null ? 'Go to the dashboard' : session?.mail === false ? 'Log in' : 'Log in to get a new link'}
        </Link>
      )}
    </>
  )
}

function SendAgain({ email }: { email: string }) {
  const send = useSendVerification(email)
  return (
    <Button variant="primary" className="w-full" disabled={send.isPending} onClick={() => send.mutate()}>
      {send.isPending ? 'Sending...' : 'Send a new link'}
    </Button>
  )
}
