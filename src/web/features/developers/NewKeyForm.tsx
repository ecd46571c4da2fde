import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { type ApiScope, newApiKey, type NewApiKey } from '../../../contract/api-keys.ts'
import { makeApiKey, reloadApiKeys } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Select } from '../../ui/form/Select.tsx'

const never = 'never'
const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: never, label: 'Never' },
]

type NewKeyFormProps = { writeLocked: string | null; onMade: (key: string) => void }

export function NewKeyForm({ writeLocked, onMade }: NewKeyFormProps) {
  const client = useQueryClient()
  const form = useForm<NewApiKey>({ resolver: zodResolver(newApiKey), defaultValues: { name: '', scope: 'read', days: 90 } })
  const { errors } = form.formState
  const make = useMutation({
    mutationFn: makeApiKey,
    onSuccess: (key) => {
      onMade(key)
      void reloadApiKeys(client)
    },
    onError: (error) => void showAtField(form, error),
  })
  const problem =
    make.isError && Object.keys(errors).length === 0 ? failureText(make.error, "Couldn't create the key. Please try again.") : null
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={form.handleSubmit((values) => make.mutate(values))}>
      <Field
        label="Name"
        placeholder="Looker Studio"
        autoComplete="off"
        hint={!errors.name && 'The app that uses it, so you know which key to revoke'}
        {...fieldOf(form, 'name')}
      />
      <Controller
        control={form.control}
        name="scope"
        render={({ field }) => (
          <ScopeChoice value={field.value} onChange={field.onChange} writeLocked={writeLocked} error={errors.scope?.message} />
        )}
      />
      <Controller
        control={form.control}
        name="days"
        render={({ field }) => (
          <Select
            label="Expires"
            placeholder="Choose"
            value={field.value === null ? never : String(field.value)}
            choices={lifetimes}
            onChange={(value) => field.onChange(value === never ? null : Number(value))}
          />
        )}
      />
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      <Button type="submit" variant="primary" className="self-end" disabled={make.isPending}>
        {make.isPending ? 'Creating...' : 'Create key'}
      </Button>
    </form>
  )
}

type ScopeChoiceProps = {
  value: ApiScope
  onChange: (scope: ApiScope) => void
  /** Why a key may not write. */
  writeLocked: string | null
  error?: string | undefined
}

const choices = [
  { scope: 'read', label: 'Read only', about: 'View data, alerts, rules and notes' },
  { scope: 'write', label: 'Read and write', about: 'Also acknowledge and snooze alerts, and edit rules and notes' },
] as const

/** A key's permissions. */
function ScopeChoice({ value, onChange, writeLocked, error }: ScopeChoiceProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={writeLocked === null ? undefined : id} className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1.5 font-medium">Permissions</legend>
      {choices.map(({ scope, label, about }) => (
        <div key={scope}>
          <label className="flex min-h-10 items-center gap-3 font-medium has-disabled:text-muted lg:min-h-8">
            <input
              type="radio"
              name={`${id}-scope`}
              aria-describedby={`${id}-${scope}`}
              className="size-4 shrink-0 accent-brand"
              checked={value === scope}
              disabled={scope === 'write' && writeLocked !== null}
              onChange={() => onChange(scope)}
            />
            {label}
          </label>
          <p id={`${id}-${scope}`} className="-mt-1 pl-7 text-sm text-muted">
            {about}
          </p>
        </div>
      ))}
      {writeLocked !== null && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 text-sm">
          <span id={id}>{writeLocked}</span>
          <Link to={paths.settings} className="inline-flex min-h-10 items-center font-medium text-brand hover:underline">
            See plans
          </Link>
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-sm text-critical">
          {error}
        </p>
      )}
    </fieldset>
  )
}
