import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { mostRecipients } from '../../../../contract/reports/limits.ts'
import type { ReportKind } from '../../../../contract/reports/periodic.ts'
import type { Paper, ReportClient, ReportSchedule, ReportSubject } from '../../../../contract/reports/reports.ts'
import type { Property } from '../../../../contract/user.ts'
import { ApiFailure, failureText } from '../../../api/client.ts'
import { reloadPublished, saveSchedule } from '../../../api/reports.ts'
import { useProperties } from '../../../shell/properties.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chips } from '../../../ui/Chips.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { FormProblem } from '../../../ui/form/FormProblem.tsx'
import { Segments } from '../../../ui/form/Segments.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { spokenProperty } from '../../../widgets/PropertyName.tsx'
import { ReportSegment } from '../ReportSegment.tsx'
import { addRecipients } from './recipients.ts'

type ScheduleDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Null for a new one. */
  schedule: ReportSchedule | null
  clients: readonly ReportClient[]
  limit: number
}

/** Creates or changes a schedule. */
export function ScheduleDialog({ open, onOpenChange, ...form }: ScheduleDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={form.schedule === null ? 'New schedule' : 'Edit schedule'}
      description="Emails a PDF at your digest time, once Google has finalized the last day of the week or month."
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
  const choices = subjectChoices(schedule, clients, useProperties())
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
      <ReportSegment value={draft.segment ?? ''} onChange={(segment) => change({ segment: segment === '' ? null : segment })} />
      <div className="flex flex-wrap gap-x-6 gap-y-4">
        <Segments label="How often" choices={kinds} value={draft.kind} onChange={(kind) => change({ kind })} />
        <Segments label="Paper size" choices={papers} value={draft.paper} onChange={(paper) => change({ paper })} />
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

type SubjectChoice = { value: string; label: string; subject: ReportSubject }

const subjectKey = (subject: ReportSubject): string => ('client' in subject ? `client ${subject.client}` : `property ${subject.property}`)

/** Clients first, since whoever has any reports on them. A schedule keeps its subject even if it can't be chosen anymore. */
function subjectChoices(
  schedule: ReportSchedule | null,
  clients: readonly ReportClient[],
  properties: readonly Property[],
): SubjectChoice[] {
  const named: { label: string; subject: ReportSubject }[] = [
    ...clients.map(({ id, name }) => ({ label: `${name} (client)`, subject: { client: id } })),
    ...properties.filter(({ monitored }) => monitored).map(({ name }) => ({ label: spokenProperty(name), subject: { property: name } })),
  ]
  const choices = named.map((each) => ({ ...each, value: subjectKey(each.subject) }))
  if (schedule === null) return choices
  const { subject, title } = schedule
  const own = { label: 'client' in subject ? title : spokenProperty(subject.property), subject, value: subjectKey(subject) }
  return choices.some(({ value }) => value === own.value) ? choices : [own, ...choices]
}

type Draft = {
  subject: ReportSubject | null
  segment: string | null
  kind: ReportKind
  paper: Paper
  recipients: readonly string[]
  typed: string
}

/** The input for a new or existing schedule, and saving it. */
function useScheduleForm(schedule: ReportSchedule | null, first: ReportSubject | null, limit: number, onSaved: () => void) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft>({
    subject: schedule?.subject ?? first,
    segment: schedule?.segment ?? null,
    kind: schedule?.kind ?? 'month',
    paper: schedule?.paper ?? 'a4',
    recipients: schedule?.recipients ?? [],
    typed: '',
  })
  const [problem, setProblem] = useState<string>()
  const saving = useMutation({
    mutationFn: ({ subject, recipients }: { subject: ReportSubject; recipients: readonly string[] }) =>
      saveSchedule(schedule?.id ?? null, {
        subject,
        segment: draft.segment,
        recipients: [...recipients],
        kind: draft.kind,
        paper: draft.paper,
        enabled: schedule?.enabled ?? true,
      }),
    onSuccess: async () => {
      await reloadPublished(client, 'schedules')
      toast.success(
        schedule === null ? 'Schedule Created' : 'Schedule Saved',
        'Reports go out at your digest time, once Google has finalized their last day.',
      )
      onSaved()
    },
    onError: (error) => {
      if (refusedField(error) === 'recipients') setProblem(failureText(error, ''))
    },
  })

  const change = (next: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...next }))
    if (next.typed !== undefined || next.recipients !== undefined) setProblem(undefined)
  }

  /** Turns input into chips; null if invalid, which is then shown at the field. */
  function add(): readonly string[] | null {
    const added = addRecipients(draft.typed, draft.recipients, limit)
    if ('problem' in added) {
      setProblem(added.problem)
      return null
    }
    change({ recipients: added.recipients, typed: '' })
    return added.recipients
  }

  function save(): void {
    const recipients = draft.typed.trim() === '' ? draft.recipients : add()
    if (recipients === null) return
    if (recipients.length === 0) return setProblem('Add at least one recipient')
    if (draft.subject !== null) saving.mutate({ subject: draft.subject, recipients })
  }

  const refusal = saving.error !== null && refusedField(saving.error) !== 'recipients' ? saving.error : null
  return { draft, change, add, save, problem, isSaving: saving.isPending, refusal }
}

const refusedField = (error: Error): string | undefined => (error instanceof ApiFailure ? error.problem?.field : undefined)

type RecipientsFieldProps = {
  recipients: readonly string[]
  limit: number
  typed: string
  problem: string | undefined
  onType: (typed: string) => void
  onAdd: () => void
  onRemove: (recipient: string) => void
}

/** A report's recipients: an address is typed, or several pasted, and becomes a chip. */
function RecipientsField({ recipients, limit, typed, problem, onType, onAdd, onRemove }: RecipientsFieldProps) {
  const input = useRef<HTMLInputElement>(null)

  function onKeyDown(event: KeyboardEvent) {
    const ends = event.key === 'Enter' || event.key === ',' || event.key === ';'
    if (!ends || (event.key === 'Enter' && typed.trim() === '')) return
    // Enter would submit the whole form.
    event.preventDefault()
    onAdd()
  }

  return (
    <div>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Field
            ref={input}
            label="Recipients"
            type="text"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="name@example.com"
            hint={countOf(recipients.length, limit)}
            value={typed}
            error={problem}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        {/* Next to the field, below its label. */}
        <Button
          aria-label="Add recipient"
          className="mt-6.5"
          onClick={() => {
            input.current?.focus()
            onAdd()
          }}
        >
          <Plus aria-hidden />
          Add
        </Button>
      </div>
      <Chips label="Recipients" chips={recipients} input={input} className="mt-3" onRemove={onRemove} />
    </div>
  )
}

/** The plan's limit, if it is lower than a report's general one. */
const countOf = (count: number, limit: number): string =>
  `${limit < mostRecipients ? `${count} of up to ${limit} recipients.` : 'Add one address, or several at once.'} Everyone but you has to confirm once by email.`
