import { useQuery } from '@tanstack/react-query'
import { CircleHelp, MailCheck } from 'lucide-react'
import { useState } from 'react'
import type { Support } from '../../../contract/support.ts'
import { supportQuery } from '../../api/account.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { ContactForm } from './ContactForm.tsx'

/** Help → Contact support. */
export function ContactPage() {
  const { selectedProperty } = useCurrentUser()
  const [property, setProperty] = useState(selectedProperty)
  const [sent, setSent] = useState(false)
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...supportQuery(property), placeholderData: (before) => before })
  return (
    <>
      <title>Contact support · Ranklark</title>
      <h1 className="text-title font-semibold">Contact support</h1>
      <p className="mb-5 text-muted">
        {data?.problem === null && data.answered !== null
          ? `A person reads every message and replies ${data.answered}.`
          : 'A person reads every message.'}
      </p>
      <div className="max-w-3xl">
        {data === undefined ? (
          <Card>
            {error === null ? (
              <Loading />
            ) : (
              <LoadProblem what="the form" property={property ?? 'Your account'} error={error} onRetry={() => void refetch()} />
            )}
          </Card>
        ) : data.problem !== null ? (
          <Card>
            <NoSupport problem={data.problem} />
          </Card>
        ) : sent ? (
          <Card>
            <Sent support={data} onAnother={() => setSent(false)} />
          </Card>
        ) : (
          <ContactForm
            support={data}
            property={property}
            outdated={isPlaceholderData}
            onProperty={setProperty}
            onSent={() => setSent(true)}
          />
        )}
      </div>
    </>
  )
}

function NoSupport({ problem }: { problem: string }) {
  return (
    <EmptyState
      icon={<CircleHelp aria-hidden />}
      title="You can't send a message from here"
      actions={
        <a href="/help" className={buttonClass('primary')}>
          Open the help page
        </a>
      }
    >
      {problem}
    </EmptyState>
  )
}

function Sent({ support: { email, answered, copied }, onAnother }: { support: Support; onAnother: () => void }) {
  return (
    <EmptyState icon={<MailCheck aria-hidden />} title="Message sent" actions={<Button onClick={onAnother}>Write another message</Button>}>
      <p className="wrap-anywhere">
        We'll reply to {email} {answered}.{' '}
        {copied ? "You'll get a copy of your message there, too." : 'Confirm your email to receive a copy.'}
      </p>
    </EmptyState>
  )
}

function Loading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-5 w-24" />
      <Skeleton className="mt-2 h-10" />
      <Skeleton className="mt-5 h-5 w-32" />
      <Skeleton className="mt-2 h-44" />
      <Skeleton className="mt-5 h-5 w-48" />
      <Skeleton className="mt-3 h-48" />
    </div>
  )
}
