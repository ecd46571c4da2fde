import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { alertVerdict, type AlertVerdict } from '../../../contract/alerts/alerts.ts'
import { type VerdictByLink, verdictLinkEndpoints } from '../../../contract/alerts/verdict-link.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { verdictLabels } from '../../../core/alerting/copy.ts'
import { call, failureText } from '../../api/client.ts'
import { isRefusedLink } from '../../api/show-at-field.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useOneTimeParam } from '../../lib/hooks/use-one-time-param.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../../shell/CardPage.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { StepHeading } from '../../ui/StepHeading.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { LoadFailure } from '../../widgets/LoadProblem.tsx'

const choices = alertVerdict.options.map((value) => ({ value, label: verdictLabels[value] }))

/** The page behind the rating links in emails, signed in or not. Saves nothing until a button is pressed, because mail scanners open links too. */
export function AlertVerdictPage() {
  const token = useOneTimeParam('token')
  const said = alertVerdict.safeParse(useOneTimeParam('say')).data ?? 'useful'
  return <CardPage title="Rate an alert">{token === null ? <Refused message={null} /> : <Rating token={token} said={said} />}</CardPage>
}

function Rating({ token, said }: { token: string; said: AlertVerdict }) {
  const now = useNow()
  const [verdict, setVerdict] = useState(said)
  const { data, error, refetch } = useQuery({
    queryKey: [verdictLinkEndpoints.read.path, token],
    queryFn: ({ signal }) => call(verdictLinkEndpoints.read, { query: { token }, signal }),
    gcTime: 0,
  })
  const rating = useMutation({
    mutationFn: () => call(verdictLinkEndpoints.rate, { query: { token }, body: { verdict } }),
    onError: (failure) => {
      if (!isRefusedLink(failure)) toast.error('Not Saved', failureText(failure, 'Your rating could not be saved. Please try again.'))
    },
  })

  const refused = [error, rating.error].find(isRefusedLink)
  if (refused) return <Refused message={failureText(refused, 'Open the link in the email again.')} />
  if (rating.isSuccess) return <Stored alert={rating.data} />
  if (data === undefined && error === null) return <Spinner label="Loading..." />
  if (data === undefined) {
    return <LoadFailure title="The alert could not be loaded" error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <StepHeading title="How would you rate this alert?">
        <Named alert={data} />
        {data.verdict !== null && data.at !== null && (
          <span className="mt-2 block">
            Rated “{verdictLabels[data.verdict]}” ({formatMoment(new Date(data.at), now)}). You can change it.
          </span>
        )}
      </StepHeading>
      <div className="mb-4 flex justify-center">
        <Segments label="Rating" choices={choices} value={verdict} onChange={setVerdict} />
      </div>
      <Button variant="primary" className="w-full" disabled={rating.isPending} onClick={() => rating.mutate()}>
        {rating.isPending ? 'Saving...' : `Confirm “${verdictLabels[verdict]}”`}
      </Button>
    </>
  )
}

function Stored({ alert }: { alert: VerdictByLink }) {
  return (
    <>
      <StepHeading title="Thanks, your rating is saved" takesFocus>
        <Named alert={alert} />
        {alert.verdict !== null && (
          <span className="mt-2 block">Rated “{verdictLabels[alert.verdict]}”. Open the link again to change it.</span>
        )}
      </StepHeading>
      <ToAlerts />
    </>
  )
}

const Named = ({ alert: { title, property } }: { alert: Pick<VerdictByLink, 'title' | 'property'> }) => (
  <>
    <strong className="font-semibold wrap-anywhere text-text">{title}</strong>
    <span className="block wrap-anywhere">{propertyName(property)}</span>
  </>
)

const ToAlerts = () => (
  <Link to={paths.alerts} className={buttonClass('secondary', 'w-full')}>
    Go to your alerts
  </Link>
)

function Refused({ message }: { message: string | null }) {
  return (
    <>
      <StepHeading title="This link doesn't work" takesFocus={message !== null}>
        {message ?? 'Open the link in the email again.'}
      </StepHeading>
      <ToAlerts />
    </>
  )
}
