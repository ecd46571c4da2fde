import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { type ApiKey, type ApiKeys, type ApiScope, newApiKey, type NewApiKey } from '../../../contract/api-keys.ts'
import { makeApiKey, reloadApiKeys, revokeApiKey } from '../../api/account.ts'
import { failureText } from '../../api/client.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { isExpired, keyWords } from './copy.ts'
import { ListPending } from './ListPending.tsx'

/** The person's keys. Even if the plan no longer includes the API, they can be seen and revoked. */
export function KeysCard({ keys }: { keys: UseQueryResult<ApiKeys> }) {
  const [making, setMaking] = useState(false)
  const { data, error, refetch } = keys
  if (data?.locked && data.keys.length === 0) return null
  return (
    <SectionCard
      title="API keys"
      description="A key gives an app access to your account. Give each app its own, so you can revoke one without affecting the others."
      badge={
        !data?.locked && (
          <Button variant="primary" aria-haspopup="dialog" disabled={data === undefined} onClick={() => setMaking(true)}>
            <Plus aria-hidden />
            New key
          </Button>
        )
      }
    >
      {data === undefined ? (
        <ListPending what="your keys" error={error} onRetry={() => void refetch()} />
      ) : data.keys.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden />} title="No keys yet">
          Create one to use the API or connect an AI assistant.
        </EmptyState>
      ) : (
        <KeyList keys={data.keys} />
      )}
      {making && data && <NewKeyDialog writeLocked={data.writeLocked} onClose={() => setMaking(false)} />}
    </SectionCard>
  )
}

function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  const client = useQueryClient()
  const now = useNow()
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const revoke = useMutation({
    mutationFn: revokeApiKey,
    onSuccess: async () => {
      await reloadApiKeys(client)
      toast.success('Key Revoked', 'The key no longer works.')
    },
    onError: (error) => toast.error('Key Not Revoked', failureText(error, "Couldn't revoke the key. Please try again.")),
    onSettled: () => setRevoking(null),
  })
  return (
    <>
      <ul aria-label="API keys" className="-my-4 divide-y divide-line">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
            <div className="min-w-0 flex-1 basis-64">
              <div className="flex flex-wrap items-center gap-2">
                <span className="font-medium wrap-anywhere">{key.name}</span>
                <Badge tone={key.scope === 'write' ? 'brand' : 'unknown'}>{key.scope === 'write' ? 'Read and write' : 'Read only'}</Badge>
                {isExpired(key, now) && <Badge tone="critical">Expired</Badge>}
              </div>
              <p className="mt-1 text-sm text-muted">
                <code className="text-text">{key.start}…</code> · {keyWords(key, now).join(' · ')}
              </p>
            </div>
            <Button aria-haspopup="dialog" aria-label={`Revoke ${key.name}`} onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => {
          if (!open) setRevoking(null)
        }}
        title="Revoke this key?"
        description={<span className="wrap-anywhere">Apps that use {revoking?.name} lose access immediately. This can't be undone.</span>}
        confirm="Revoke key"
        pending={revoke.isPending}
        onConfirm={() => {
          if (revoking) revoke.mutate(revoking.id)
        }}
      />
    </>
  )
}

/** Creates a key and shows it, only this once: it is gone when the dialog closes. */
function NewKeyDialog({ writeLocked, onClose }: { writeLocked: string | null; onClose: () => void }) {
  const [key, setKey] = useState<string | null>(null)
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={key === null ? 'New key' : 'Your new key'}
      description={key === null ? "You'll see the key only once, right after you create it." : "Copy it now. You won't see it again."}
    >
      {key === null ? <NewKeyForm writeLocked={writeLocked} onMade={setKey} /> : <KeyOnce apiKey={key} onDone={onClose} />}
    </Dialog>
  )
}

function KeyOnce({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const shown = useRef<HTMLInputElement>(null)
  // Ready for manual copying if the browser blocks ours.
  useEffect(() => shown.current?.select(), [])
  return (
    <div className="flex flex-col gap-5">
      <input
        ref={shown}
        readOnly
        aria-label="API key"
        value={apiKey}
        onFocus={(event) => event.currentTarget.select()}
        className="control w-full min-w-0 rounded-control border border-line-control bg-sunken px-3 font-mono text-sm"
      />
      <p className="text-muted">Treat it like a password: anyone who has it can use it. If it leaks, revoke it here.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={apiKey} label="Copy key" />
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}

const never = 'never'
const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: never, label: 'Never' },
]

type NewKeyFormProps = { writeLocked: string | null; onMade: (key: string) => void }

function NewKeyForm({ writeLocked, onMade }: NewKeyFormProps) {
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
