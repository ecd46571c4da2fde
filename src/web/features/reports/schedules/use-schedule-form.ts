import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReportKind } from '../../../../contract/periodic-reports.ts'
import type { Paper, ReportSchedule, ReportSubject } from '../../../../contract/publishing.ts'
import { ApiFailure, failureText } from '../../../api/client.ts'
import { reloadPublished, saveSchedule } from '../../../api/publishing.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { addRecipients } from './recipients.ts'

type Draft = { subject: ReportSubject | null; kind: ReportKind; paper: Paper; recipients: readonly string[]; typed: string }

/** What somebody enters about a schedule, new or there already, and its way to the server. */
export function useScheduleForm(schedule: ReportSchedule | null, first: ReportSubject | null, limit: number, onSaved: () => void) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Draft>({
    subject: schedule?.subject ?? first,
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
        recipients: [...recipients],
        kind: draft.kind,
        paper: draft.paper,
        enabled: schedule?.enabled ?? true,
      }),
    onSuccess: async () => {
      await reloadPublished(client, 'schedules')
      toast.success(schedule === null ? 'Schedule Created' : 'Schedule Saved', 'Reports go out as soon as Google completes their last day.')
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

  /** Turns what is typed into chips; null when it will not do, which is then said at the field. */
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
