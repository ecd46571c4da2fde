import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { failureText } from '../../api/client.ts'
import { mailSubscriptionQuery, stopAlertMails } from '../../api/delivery.ts'
import { reloadDelivery } from '../../api/delivery.ts'
import { isRefusedLink } from '../../api/show-at-field.ts'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { StepHeading } from '../../ui/StepHeading.tsx'

/** The target of the link at the end of each email, signed in or not. */
export function UnsubscribePage() {
  const token = useOneTimeParam('token')
  return <CardPage title="Alert emails">{token === null ? <Refused message={null} /> : <Subscription token={token} />}</CardPage>
}

function Subscription({ token }: { token: string }) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(mailSubscriptionQuery(token))
  const stop = useMutation({
    mutationFn: () => stopAlertMails(token),
    onSuccess: () => reloadDelivery(client),
    onError: (failure) => {
      if (!isRefusedLink(failure)) toast.error('Not Unsubscribed', failureText(failure, "Couldn't unsubscribe you. Please try again."))
    },
  })

  const refused = [error, stop.error].find(isRefusedLink)
  if (refused) return <Refused message={failureText(refused, 'Open the link in the email again.')} />
  if (data === undefined && error === null) return <Spinner label="Loading..." />
  if (data === undefined) {
    return (
      <ErrorState
        title="Your subscription could not be loaded"
        actions={
          <Button variant="primary" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        {failureText(error)}
      </ErrorState>
    )
  }
  if (stop.isSuccess) {
    return (
      <>
        <StepHeading title="You're unsubscribed" takesFocus>
          <Address>{stop.data.address}</Address> won't get any more alerts or digests. Account emails, such as password resets, will still
          arrive.
        </StepHeading>
        <WayBack />
      </>
    )
  }
  if (!data.subscribed && !data.asked) {
    return (
      <>
        <StepHeading title="Already unsubscribed">
          <Address>{data.address}</Address> isn't getting any alerts or digests.
        </StepHeading>
        <WayBack />
      </>
    )
  }
  return (
    <>
      <StepHeading title="Alert emails">
        {data.subscribed ? (
          <>
            Alerts and digests go to <Address>{data.address}</Address>.
          </>
        ) : (
          <>
            Stop this account from asking <Address>{data.address}</Address> to receive its alerts?
          </>
        )}
      </StepHeading>
      <Button variant="primary" className="w-full" disabled={stop.isPending} onClick={() => stop.mutate()}>
        {stop.isPending ? 'Unsubscribing...' : data.subscribed ? 'Unsubscribe' : 'Block requests'}
      </Button>
    </>
  )
}

const Address = ({ children }: { children: string }) => <strong className="font-semibold wrap-anywhere text-text">{children}</strong>

function WayBack() {
  return (
    <Link to={paths.settings} className={buttonClass('secondary', 'w-full')}>
      Turn them back on in Settings
    </Link>
  )
}

function Refused({ message }: { message: string | null }) {
  return (
    <>
      <StepHeading title="This link doesn't work" takesFocus={message !== null}>
        {message ?? 'Open the link in the email again.'} You can also turn off alert emails in your account settings.
      </StepHeading>
      <Link to={paths.settings} className={buttonClass('primary', 'w-full')}>
        Go to Settings
      </Link>
    </>
  )
}
