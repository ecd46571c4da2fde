import type { ReportClient, ReportSchedule } from '../../../../contract/publishing.ts'
import { failureText } from '../../../api/client.ts'
import { useProperties } from '../../../shell/use-properties.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { FormProblem } from '../../../ui/form/FormProblem.tsx'
import { Segments } from '../../../ui/form/Segments.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { RecipientsField } from './RecipientsField.tsx'
import { subjectChoices, subjectKey } from './subject-choices.ts'
import { useScheduleForm } from './use-schedule-form.ts'

type ScheduleDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Null: a new one. */
  schedule: ReportSchedule | null
  clients: readonly ReportClient[]
  limit: number
}

/** Makes a schedule, or changes one. */
export function ScheduleDialog({ open, onOpenChange, ...form }: ScheduleDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={form.schedule === null ? 'New schedule' : 'Edit schedule'}
      description="Emails a PDF the morning after Google completes the last day of the week or month."
    >
      <ScheduleForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

const kinds = [
  { value: 'month', label: 'Every month' },
  { value: 'week', label: 'Every week' },
] as const
const papers = [
  { value: 'a4', label: 'A4' },
  { value: 'letter', label: 'US Letter' },
] as const

type ScheduleFormProps = Omit<ScheduleDialogProps, 'open' | 'onOpenChange'> & { onDone: () => void }

function ScheduleForm({ schedule, clients, limit, onDone }: ScheduleFormProps) {
  const choices = subjectChoices(clients, useProperties())
  const { draft, change, add, save, problem, isSaving, refusal } = useScheduleForm(schedule, choices[0]?.subject ?? null, limit, onDone)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Select
        label="Report on"
        placeholder="Choose a property"
        value={draft.subject === null ? null : subjectKey(draft.subject)}
        choices={choices}
        onChange={(chosen) => change({ subject: choices.find(({ value }) => value === chosen)?.subject ?? draft.subject })}
      />
      <div className="flex flex-wrap gap-x-6 gap-y-4">
        <Segments label="How often" choices={kinds} value={draft.kind} onChange={(kind) => change({ kind })} />
        <Segments label="Paper" choices={papers} value={draft.paper} onChange={(paper) => change({ paper })} />
      </div>
      <RecipientsField
        recipients={draft.recipients}
        limit={limit}
        typed={draft.typed}
        problem={problem}
        onType={(typed) => change({ typed })}
        onAdd={add}
        onRemove={(recipient) => change({ recipients: draft.recipients.filter((each) => each !== recipient) })}
      />
      {refusal !== null && <FormProblem>{failureText(refusal, "Couldn't save the schedule. Please try again.")}</FormProblem>}
      <Button type="submit" variant="primary" className="self-start" disabled={isSaving || draft.subject === null}>
        {isSaving ? 'Saving...' : schedule === null ? 'Create schedule' : 'Save schedule'}
      </Button>
    </form>
  )
}
