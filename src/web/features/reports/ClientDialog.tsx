import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { type ReportClient, reportClientChange } from '../../../contract/reports/reports.ts'
import { failureText } from '../../api/client.ts'
import { type ClientChange, reloadPublished, saveClient } from '../../api/reports.ts'
import { showAtField } from '../../api/show-at-field.ts'
import { useProperties } from '../../shell/properties.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { fieldOf } from '../../ui/form/field-of.ts'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'

type ClientDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Null for a new one. */
  client: ReportClient | null
}

/** Creates or changes a client. */
export function ClientDialog({ open, onOpenChange, client }: ClientDialogProps) {
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
  // Those no longer monitored can still be removed.
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
                    label={name}
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
