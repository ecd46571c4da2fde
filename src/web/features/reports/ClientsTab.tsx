import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Building2, Pencil, Plus, Share2 } from 'lucide-react'
import { useId, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { type ReportClient, reportClientChange } from '../../../contract/reports/reports.ts'
import { failureText } from '../../api/client.ts'
import { type ClientChange, reloadPublished, reportClientsQuery, saveClient } from '../../api/reports.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useProperties } from '../../shell/properties.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { lockedWords } from './copy.ts'
import { DeleteButton, useRemove } from './DeleteButton.tsx'
import { ListFailure, ListLoading } from './ListStates.tsx'
import { PdfMenu, usePdf } from './PdfMenu.tsx'
import { RunProgress } from './RunProgress.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { PropertyName, spokenProperty } from '../../widgets/PropertyName.tsx'

/** An agency's clients, each with their own properties. */
export function ClientsTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportClientsQuery(plan))
  const [open, setOpen] = useState(false)
  // Keeps the dialog's subject while it closes.
  const [edited, setEdited] = useState<ReportClient | null>(null)

  function edit(client: ReportClient | null): void {
    setEdited(client)
    setOpen(true)
  }

  if (error !== null) return <ListFailure what="your clients" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <ListLoading what="your clients" />
  const { locked, clients } = data
  const add = (
    <Button variant="primary" className="self-start" onClick={() => edit(null)}>
      <Plus aria-hidden />
      New client
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      {locked !== null && <LockedFeature Icon={Building2} reason={locked} {...lockedWords.clients} />}
      {locked === null && clients.length > 0 && add}
      {locked === null && clients.length === 0 && (
        <Card>
          <EmptyState icon={<Building2 aria-hidden />} title="No clients yet" actions={add}>
            A client is a group of properties that you report on together, under your brand.
          </EmptyState>
        </Card>
      )}
      {clients.length > 0 && (
        <ul aria-label="Clients" className="grid gap-4 lg:grid-cols-2">
          {clients.map((client) => (
            <li key={client.id} className="min-w-0">
              <ClientCard client={client} locked={locked !== null} onEdit={() => edit(client)} />
            </li>
          ))}
        </ul>
      )}
      <ClientDialog open={open} onOpenChange={setOpen} client={edited} />
    </div>
  )
}

type ClientCardProps = { client: ReportClient; locked: boolean; onEdit: () => void }

/** A client, their properties, and their latest report to download or share. */
function ClientCard({ client, locked, onEdit }: ClientCardProps) {
  const id = useId()
  const [sharing, setSharing] = useState(false)
  const pdf = usePdf()
  const { name, properties } = client
  return (
    <article aria-labelledby={id} className="h-full">
      <Card className="flex h-full flex-col gap-4">
        <div className="min-w-0 grow">
          <h2 id={id} className="text-base font-semibold wrap-anywhere">
            {name}
          </h2>
          <p className="mt-1 text-muted">{properties.length === 1 ? '1 property' : `${properties.length} properties`}</p>
          <ul aria-label={`Properties in ${name}`} className="mt-2 flex flex-col gap-1">
            {properties.map((property) => (
              <li key={property} className="wrap-anywhere">
                <PropertyName name={property} />
              </li>
            ))}
          </ul>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {pdf.isMaking ? (
            <RunProgress run={pdf.run} />
          ) : (
            !locked && (
              <PdfMenu
                label={`Download PDF for ${name}`}
                onChoose={(paper) => pdf.make({ subject: { client: client.id }, kind: 'month', paper })}
              />
            )
          )}
          <Button disabled={locked} onClick={() => setSharing(true)}>
            <Share2 aria-hidden />
            Share link
          </Button>
          <Button disabled={locked} onClick={onEdit}>
            <Pencil aria-hidden />
            Edit
          </Button>
          <Delete client={client} />
        </div>
      </Card>
      <ShareDialog open={sharing} onOpenChange={setSharing} title={name} subject={{ client: client.id }} />
    </article>
  )
}

function Delete({ client: { id, name } }: { client: ReportClient }) {
  return (
    <DeleteButton
      id={id}
      removing={useRemove('clients', { done: 'Client Deleted', failed: 'Client Not Deleted' })}
      title={`Delete ${name}?`}
      description="This also deletes the client's schedules and links. Properties and their data are kept."
      confirm="Delete client"
    />
  )
}

type ClientDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Null for a new one. */
  client: ReportClient | null
}

/** Creates or changes a client. */
function ClientDialog({ open, onOpenChange, client }: ClientDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={client === null ? 'New client' : 'Edit client'}
      description="Reports for this client cover all of these properties."
    >
      <ClientForm client={client} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

function ClientForm({ client, onDone }: { client: ReportClient | null; onDone: () => void }) {
  const queries = useQueryClient()
  const form = useForm<ClientChange>({
    resolver: zodResolver(reportClientChange),
    defaultValues: { name: client?.name ?? '', properties: client?.properties ?? [] },
  })
  const { errors } = form.formState
  // Those that aren't monitored can be removed.
  const watched = useProperties().flatMap(({ name, monitored }) => (monitored ? [name] : []))
  const names = [...new Set([...watched, ...(client?.properties ?? [])])]
  const saving = useMutation({
    mutationFn: (values: ClientChange) => saveClient(client?.id ?? null, values),
    onSuccess: async (_answer, { name }) => {
      await reloadPublished(queries, 'clients', 'schedules', 'shares')
      toast.success(client === null ? 'Client Created' : 'Client Saved', name)
      onDone()
    },
    onError: (error) => showAtField(form, error),
  })

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => saving.mutate(values))}>
      <Field label="Name" autoComplete="off" {...fieldOf(form, 'name')} />
      <Controller
        control={form.control}
        name="properties"
        render={({ field: { value: chosen, onChange } }) => (
          <fieldset>
            <legend className="mb-1 font-medium">Properties</legend>
            {names.length === 0 && <p className="text-muted">You aren't monitoring any properties yet. Choose some under Sites first.</p>}
            <div className="max-h-64 overflow-y-auto">
              {names.map((name) => (
                <div key={name} className="wrap-anywhere">
                  <Checkbox
                    label={`${spokenProperty(name)}${watched.includes(name) ? '' : ' (not monitored)'}`}
                    checked={chosen.includes(name)}
                    onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name))}
                  />
                </div>
              ))}
            </div>
            {client !== null && chosen.some((name) => !client.properties.includes(name)) && (
              <p className="mt-1 text-sm text-muted">
                This client's shared links and scheduled reports will show the properties you add, so you may be asked for your password.
              </p>
            )}
            {errors.properties !== undefined && (
              <p role="alert" className="mt-1 text-sm text-critical">
                {errors.properties.message}
              </p>
            )}
          </fieldset>
        )}
      />
      {saving.error !== null && errors.name === undefined && errors.properties === undefined && (
        <FormProblem>{failureText(saving.error, "Couldn't save the client. Please try again.")}</FormProblem>
      )}
      <Button type="submit" variant="primary" className="self-start" disabled={saving.isPending}>
        {saving.isPending ? 'Saving...' : client === null ? 'Create client' : 'Save client'}
      </Button>
    </form>
  )
}
