import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { failureText } from '../../api/client.ts'
import { confirmEmailAddress, reloadChannels } from '../../api/delivery.ts'
import { isRefusedLink } from '../../api/show-at-field.ts'
import { sessionQuery } from '../../api/session.ts'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { StepHeading } from '../../ui/StepHeading.tsx'
import { addressOfToken } from './links.ts'

/** The target of the emailed link. Requires pressing a button: mail scanners open links too. */
export function ConfirmDeliveryPage() {
  const client = useQueryClient()
  const token = useOneTimeParam('token')
  const confirm = useMutation({
    mutationFn: confirmEmailAddress,
    onSuccess: () => reloadChannels(client),
    onError: (error) => {
      if (!isRefusedLink(error))
        toast.error('Address Not Confirmed', failureText(error, 'The address could not be confirmed. Please try again.'))
    },
  })

  return (
    <CardPage title="Alert emails">
      {confirm.isSuccess ? (
        <Confirmed address={confirm.data} />
      ) : token === null || isRefusedLink(confirm.error) ? (
        <>
          <StepHeading title="This link doesn't work" takesFocus={confirm.error !== null}>
            {failureText(confirm.error, 'Open the link in the email again.')}
          </StepHeading>
          <ToAlertSettings />
        </>
      ) : (
        <>
          <StepHeading title="Send alerts to this address?">
            Someone wants to send alerts from their Ranklark account to this address. If you expected this, confirm the address. If not,
            close this page, and no alerts will be sent.
          </StepHeading>
          <Button
            variant="primary"
            className="h-auto! min-h-10 w-full py-2"
            disabled={confirm.isPending}
            onClick={() => confirm.mutate(token)}
          >
            <span className="min-w-0 wrap-anywhere whitespace-normal">
              {confirm.isPending ? 'Confirming...' : `Confirm ${addressOfToken(token) ?? 'this address'}`}
            </span>
          </Button>
        </>
      )}
    </CardPage>
  )
}

function Confirmed({ address }: { address: string }) {
  return (
    <>
      <StepHeading title="Address confirmed" takesFocus>
        From now on, alerts will go to <strong className="font-semibold wrap-anywhere text-text">{address}</strong>. Every email has an
        unsubscribe link.
      </StepHeading>
      <ToAlertSettings />
    </>
  )
}

/** For the account's owner, who may not be the email's reader. */
function ToAlertSettings() {
  const { data: session } = useQuery(sessionQuery)
  return (
    <Link to={paths.alertSettings} className={buttonClass('primary', 'w-full')}>
      {session?.authenticated ? 'Go to Alert Settings' : 'Log in to open Alert Settings'}
    </Link>
  )
}
