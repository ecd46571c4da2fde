import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Diagnostic, type DiagnosticId, type Support, supportMessage } from '../../../contract/support.ts'
import { failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { writeToSupport } from '../../api/account.ts'
import { useProperties } from '../../shell/properties.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Field, TextAreaField } from '../../ui/form/Field.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Select } from '../../ui/form/Select.tsx'

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

export function ContactForm({ support, property, outdated, onProperty, onSent }: ContactFormProps) {
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
