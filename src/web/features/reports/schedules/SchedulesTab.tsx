import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, MailCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ReportSchedule } from '../../../../contract/reports/reports.ts'
import { reportClientsQuery, reportSchedulesQuery } from '../../../api/reports.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LockedFeature } from '../../../widgets/LockedFeature.tsx'
import { lockedWords } from '../copy.ts'
import { ListFailure, ListLoading } from '../ListStates.tsx'
import { ScheduleCard } from './ScheduleCard.tsx'
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
            Choose a property or client and who gets its report. It goes out as soon as Google finalizes the last day.
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
        clients={clients?.locked === null ? clients.clients : []}
        limit={recipientLimit}
      />
    </div>
  )
}
