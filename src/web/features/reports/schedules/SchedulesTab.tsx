import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, MailCheck, MailQuestion, Pencil, Plus, Send } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReportSchedule } from '../../../../contract/reports/reports.ts'
import { propertyName } from '../../../../core/accounts/property-name.ts'
import { counted } from '../../../../core/words.ts'
import { failureText } from '../../../api/client.ts'
import { askRecipients, reloadPublished, reportClientsQuery, reportSchedulesQuery, saveSchedule } from '../../../api/reports.ts'
import { formatMoment, formatUntil } from '../../../lib/dates.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SwitchControl } from '../../../ui/form/Switch.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { WarningNote } from '../../../ui/WarningNote.tsx'
import { LockedFeature } from '../../../widgets/LockedFeature.tsx'
import { lockedWords } from '../copy.ts'
import { DeleteButton, useRemove } from '../DeleteButton.tsx'
import { ListFailure, ListLoading } from '../ListStates.tsx'
import { RunProgress, useRun } from '../RunProgress.tsx'
import { ScheduleDialog } from './ScheduleDialog.tsx'

/** Scheduled reports. */
export function SchedulesTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportSchedulesQuery(plan))
  // Only for the selection; without them there are still properties.
  const clients = useQuery(reportClientsQuery(plan)).data
  const [editing, setEditing] = useState<ReportSchedule | 'new' | null>(null)
  // Keeps its subject while the dialog closes.
  const [last, setLast] = useState<ReportSchedule | null>(null)

  function open(schedule: ReportSchedule | 'new'): void {
    setLast(schedule === 'new' ? null : schedule)
    setEditing(schedule)
  }

  if (error !== null) return <ListFailure what="your schedules" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <ListLoading what="your schedules" />
  const { locked, schedules, recipientLimit } = data
  return (
    <div className="flex flex-col gap-4">
      {locked !== null && <LockedFeature Icon={MailCheck} reason={locked} {...lockedWords.schedules} />}
      {locked === null && schedules.length > 0 && (
        <Button variant="primary" className="self-start" onClick={() => open('new')}>
          <Plus aria-hidden />
          New schedule
        </Button>
      )}
      {locked === null && schedules.length === 0 && (
        <Card>
          <EmptyState
            icon={<CalendarPlus aria-hidden />}
            title="No schedules yet"
            actions={
              <Button variant="primary" onClick={() => open('new')}>
                <Plus aria-hidden />
                New schedule
              </Button>
            }
          >
            Choose a property or client and who gets its report. It goes out at your digest time, once Google has finalized the last day of
            the week or month.
          </EmptyState>
        </Card>
      )}
      {schedules.length > 0 && (
        <ul aria-label="Schedules" className="flex flex-col gap-4">
          {schedules.map((schedule) => (
            <li key={schedule.id}>
              <ScheduleCard schedule={schedule} locked={locked !== null} onEdit={() => open(schedule)} />
            </li>
          ))}
        </ul>
      )}
      <ScheduleDialog
        open={editing !== null}
        onOpenChange={(next) => !next && setEditing(null)}
        schedule={last}
        clients={(clients?.clients ?? []).filter(({ id }) => clients?.locked === null || isAbout(last, id))}
        limit={recipientLimit}
      />
    </div>
  )
}

const isAbout = (schedule: ReportSchedule | null, client: string): boolean =>
  schedule !== null && 'client' in schedule.subject && schedule.subject.client === client

type ScheduleCardProps = {
  schedule: ReportSchedule
  /** The plan has no scheduled reports. */
  locked: boolean
  onEdit: () => void
}

/** A scheduled report: to whom, when, and its actions. */
function ScheduleCard({ schedule, locked, onEdit }: ScheduleCardProps) {
  const id = useId()
  const { title, kind, paper, recipients, waiting, problem } = schedule
  const enable = useEnable(schedule)
  const sending = useSendNow(schedule)
  return (
    <article aria-labelledby={id}>
      <Card className="flex flex-col gap-4">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 id={id} className="text-base font-semibold wrap-anywhere">
              {propertyName(title)}
            </h2>
            <p className="mt-1.5 flex flex-wrap gap-1.5">
              <Badge tone="brand">{kind === 'month' ? 'Monthly' : 'Weekly'}</Badge>
              <Badge>{paper === 'a4' ? 'A4' : 'US Letter'}</Badge>
            </p>
          </div>
          <SwitchControl
            labelledBy={id}
            checked={enable.isPending ? enable.variables : schedule.enabled}
            disabled={(locked && !schedule.enabled) || enable.isPending}
            onChange={(enabled) => enable.mutate(enabled)}
          />
        </div>
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
          <div className="min-w-0 sm:col-span-1">
            <dt className="text-sm text-muted">Sent to</dt>
            <dd className="mt-0.5 wrap-anywhere">{recipients.join(', ') || 'nobody'}</dd>
          </div>
          <Times schedule={schedule} />
        </dl>
        {problem !== null && <WarningNote>{problem}</WarningNote>}
        {schedule.enabled && waiting.length > 0 && (
          <p className="text-sm wrap-anywhere text-muted">
            Waiting for {waiting.join(', ')} to confirm. Recipients other than you confirm once, using a link we email them, so nobody gets
            reports they didn't ask for.
          </p>
        )}
        <div className="flex min-h-10 flex-wrap items-center gap-2">
          {sending.isMaking ? (
            <RunProgress run={sending.run} doing="Sending the report" />
          ) : (
            <Button disabled={locked || !schedule.enabled} onClick={sending.send}>
              <Send aria-hidden />
              Send now
            </Button>
          )}
          <Button disabled={locked} onClick={onEdit}>
            <Pencil aria-hidden />
            Edit
          </Button>
          {schedule.enabled && waiting.length > 0 && <AskAgain schedule={schedule} locked={locked} />}
          <Delete schedule={schedule} />
        </div>
      </Card>
    </article>
  )
}

function AskAgain({ schedule, locked }: { schedule: ReportSchedule; locked: boolean }) {
  const asking = useAskAgain(schedule)
  return (
    <Button disabled={locked || asking.isPending} onClick={() => asking.mutate()}>
      <MailQuestion aria-hidden />
      Resend request
    </Button>
  )
}

function Times({ schedule: { nextAt, lastSentAt, enabled } }: { schedule: ReportSchedule }) {
  const now = useNow()
  const times = [
    { label: 'Next report', text: nextAt === null ? (enabled ? 'none' : 'turned off') : `expected ${formatUntil(new Date(nextAt), now)}` },
    { label: 'Last report', text: lastSentAt === null ? 'none sent yet' : formatMoment(new Date(lastSentAt), now) },
  ]
  return times.map(({ label, text }) => (
    <div key={label}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5">{text}</dd>
    </div>
  ))
}

function Delete({ schedule: { id, title, recipients } }: { schedule: ReportSchedule }) {
  return (
    <DeleteButton
      id={id}
      removing={useRemove('schedules', { done: 'Schedule Deleted', failed: 'Schedule Not Deleted' })}
      title="Delete this schedule?"
      description={`It will no longer send reports on ${propertyName(title)} to ${recipients.join(', ') || 'anyone'}. Reports that were already sent aren't affected.`}
      confirm="Delete schedule"
    />
  )
}

/** Switches a schedule on or off, keeping the rest. */
function useEnable({ id, subject, segment, kind, paper, recipients }: ReportSchedule) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) => saveSchedule(id, { subject, segment, kind, paper, recipients, enabled }),
    onSuccess: () => reloadPublished(client, 'schedules'),
    onError: (error) => toast.error('Schedule Not Saved', failureText(error, "Couldn't save the schedule. Please try again.")),
  })
}

/** Emails recipients again who have yet to agree. */
function useAskAgain({ id }: ReportSchedule) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => askRecipients(id),
    onSuccess: async () => {
      await reloadPublished(client, 'schedules')
      toast.success('Request Sent', "Everyone who hasn't confirmed yet will get another email with a link.")
    },
    onError: (error) => toast.error('Request Not Sent', failureText(error, 'Please try again.')),
  })
}

/** Sends the latest report to a schedule's recipients. */
function useSendNow({ id, title, subject, segment, kind, paper }: ReportSchedule) {
  const { start, ...making } = useRun({
    onDone: ({ recipients, detail }) => {
      const to = `The report on ${propertyName(title)} is on its way to ${counted(recipients, 'recipient')}.`
      toast.success('Report Sent', detail === null ? to : `${to} ${detail}`)
    },
    onFailed: (error) => toast.error('Report Not Sent', failureText(error)),
  })
  return { ...making, send: () => start({ subject, segment, kind, paper, schedule: id }) }
}
