import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { failureText } from '../../api/client.ts'
import { mailSubscriptionQuery, stopAlertMails } from '../../api/delivery-channels.ts'
import { reloadDelivery } from '../../api/delivery.ts'
import { usePassingParam } from '../../lib/use-passing-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { StepHeading } from '../../ui/StepHeading.tsx'
import { toast } from '../../ui/toast.ts'
import { isRefusedLink } from './refused-link.ts'

/** Where the link at the end of each mail leads, signed in or not. */
export function UnsubscribePage() {
  const token = usePassingParam('token')
  return <CardPage title="Alert emails">{token === null ? <Refused message={null} /> : <Subscription token={token} />}</CardPage>
}

function Subscription({ token }: { token: string }) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(mailSubscriptionQuery(token))
  const stop = useMutation({
    mutationFn: () => stopAlertMails(token),
    onSuccess: () => reloadDelivery(client),
    onError: (failure) => {
      if (!isRefusedLink(failure)) toast.error('Not Stopped', failureText(failure, 'The mails could not be stopped. Please try again.'))
    },
  })

  const refused = [error, stop.error].find(isRefusedLink)
  if (refused) return <Refused message={failureText(refused, 'Please open the link of the mail again.')} />
  if (data === undefined && error === null) return <Spinner label="Loading..." />
  if (data === undefined) {
    return (
      <ErrorState
        title="Your mails could not be looked up"
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
        <StepHeading title="No more alert emails" takesFocus>
          No more alerts or digests go to <Address>{stop.data.address}</Address>. What concerns the account itself, such as a new password,
          still does.
        </StepHeading>
        <WayBack />
      </>
    )
  }
  if (!data.subscribed) {
    return (
      <>
        <StepHeading title="No alert emails">
          No alerts or digests go to <Address>{data.address}</Address> at present, so there is nothing to stop.
        </StepHeading>
        <WayBack />
      </>
    )
  }
  return (
    <>
      <StepHeading title="Alert emails">
        Alerts and digests go to <Address>{data.address}</Address>.
      </StepHeading>
      <Button variant="primary" className="w-full" disabled={stop.isPending} onClick={() => stop.mutate()}>
        {stop.isPending ? 'Stopping...' : 'Stop alert emails'}
      </Button>
    </>
  )
}

const Address = ({ children }: { children: string }) => <strong className="font-semibold wrap-anywhere text-text">{children}</strong>

function WayBack() {
  return (
    <Link to={paths.settings} className={buttonClass('secondary', 'w-full')}>
      Switch them on again in the settings
    </Link>
  )
}

function Refused({ message }: { message: string | null }) {
  return (
    <>
      <StepHeading title="This link does not work" takesFocus={message !== null}>
        {message ?? 'Please open the link of the mail again.'} You can also switch alert emails off in the settings of your account.
      </StepHeading>
      <Link to={paths.settings} className={buttonClass('primary', 'w-full')}>
        Go to the settings
      </Link>
    </>
  )
}
