import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleHelp, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Diagnostic, type DiagnosticId, type Support, supportMessage } from '../../../contract/support.ts'
import { supportQuery, writeToSupport } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useProperties } from '../../shell/properties.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { Field, TextAreaField } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'

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
          Open the Help Center
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

const messageForm = supportMessage.pick({ subject: true, message: true })

/** Represents no property in the list; no property has this name. */
const noProperty = ''

type ContactFormProps = {
  support: Support
  property: string | null
  /** The diagnostics are still the previous property's. */
  outdated: boolean
  onProperty: (property: string | null) => void
  onSent: () => void
}

function ContactForm({ support, property, outdated, onProperty, onSent }: ContactFormProps) {
  const properties = useProperties()
  const [left, setLeft] = useState<ReadonlySet<DiagnosticId>>(new Set())
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm({
    resolver: zodResolver(messageForm),
    defaultValues: { subject: '', message: '' },
  })
  const write = useMutation({
    mutationFn: writeToSupport,
    onMutate: () => setProblem(null),
    onSuccess: onSent,
    onError: (error) => {
      if (!showAtField(form, error)) setProblem(failureText(error, "Couldn't send your message. Please try again."))
    },
  })

  function leave(id: DiagnosticId, isLeft: boolean) {
    const next = new Set(left)
    if (isLeft) next.add(id)
    else next.delete(id)
    setLeft(next)
  }

  const submit = form.handleSubmit((typed) => {
    const diagnostics = support.diagnostics.map(({ id }) => id).filter((id) => !left.has(id))
    write.mutate({ ...typed, diagnostics, property: property ?? undefined })
  })

  return (
    <Card>
      <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
        <Field label="Subject" autoComplete="off" maxLength={120} {...fieldOf(form, 'subject')} />
        <TextAreaField
          label="Your message"
          rows={8}
          hint="What you did, what you expected, and what happened instead."
          {...fieldOf(form, 'message')}
        />
        {properties.length > 0 && (
          <Select
            label="Is this about a specific property?"
            placeholder="No property"
            value={property ?? noProperty}
            choices={[{ value: noProperty, label: 'No property' }, ...properties.map(({ name }) => ({ value: name, label: name }))]}
            onChange={(name) => onProperty(name === noProperty ? null : name)}
          />
        )}
        <Diagnostics all={support.diagnostics} left={left} outdated={outdated} onLeave={leave} />
        {problem !== null && <FormProblem>{problem}</FormProblem>}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <p className="min-w-0 text-sm wrap-anywhere text-muted">We'll reply to {support.email}.</p>
          <Button type="submit" variant="primary" disabled={write.isPending || outdated}>
            {write.isPending ? 'Sending...' : 'Send message'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

type DiagnosticsProps = {
  all: readonly Diagnostic[]
  /** Those to leave out. */
  left: ReadonlySet<DiagnosticId>
  outdated: boolean
  onLeave: (id: DiagnosticId, isLeft: boolean) => void
}

/** The account details sent with a message: shown in full, and each can be left out. */
function Diagnostics({ all, left, outdated, onLeave }: DiagnosticsProps) {
  return (
    <fieldset>
      <legend className="font-medium">Included with your message</legend>
      <p className="mt-1 text-sm text-muted">Uncheck anything you'd rather not share.</p>
      <Dimmed when={outdated}>
        <ul className="mt-2 divide-y divide-line rounded-control border border-line">
          {all.map(({ id, label, value }) => (
            <li key={id}>
              <label className="grid min-h-11 cursor-pointer grid-cols-[auto_1fr] items-start gap-x-3 px-3 py-2.5 sm:grid-cols-[auto_12rem_1fr]">
                <input
                  type="checkbox"
                  className="mt-1 size-4 accent-brand"
                  checked={!left.has(id)}
                  onChange={(event) => onLeave(id, !event.currentTarget.checked)}
                />
                <span className="text-muted">{label}</span>{' '}
                <span className="col-start-2 min-w-0 wrap-anywhere sm:col-start-3">{value}</span>
              </label>
            </li>
          ))}
        </ul>
      </Dimmed>
    </fieldset>
  )
}
