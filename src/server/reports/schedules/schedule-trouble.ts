import type { Selectable } from 'kysely'
import type { HeldPlan } from '../../../contract/user.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { daysOf } from '../../../core/alerting/copy.ts'
import { scheduleProblem } from '../../../core/reports/schedule-problem.ts'
import type { Db } from '../../database/open.ts'
import type { ReportSchedulesTable } from '../../database/report-tables.ts'
import type { Subject } from '../subjects.ts'

export type ScheduleRow = Selectable<ReportSchedulesTable>

/** `waiting`: recipients who have yet to agree. */
type Known = {
  row: Pick<ScheduleRow, 'recipients' | 'clientId'>
  waiting: number
  title: string
  plan: HeldPlan
  hasMail: boolean
  subject: Subject | null
}

/** Why a schedule sends nothing, and what to do; null if it does. */
export const problemOf = ({ row, waiting, title, plan, hasMail, subject }: Known): string | null =>
  scheduleProblem({
    plan,
    hasMail,
    recipients: row.recipients.length,
    waiting,
    isClient: row.clientId !== null,
    title: propertyName(title),
    monitored: subject && subject.properties.filter(({ monitored }) => monitored).length,
  })

export type LastRun = {
  id: number
  scheduleId: number | null
  state: string
  detail: string | null
  periodStart: string | null
  periodEnd: string | null
  /** Emails nobody accepted: recipient and reason. */
  failed: { address: string; detail: string }[]
}

/** The latest run of each of a person's schedules. */
export async function lastRuns(db: Db, userId: string): Promise<Map<number, LastRun>> {
  const runs = await db
    .selectFrom('reportRuns')
    .where('userId', '=', userId)
    .where('scheduleId', 'is not', null)
    .distinctOn('scheduleId')
    .select(['id', 'scheduleId', 'state', 'detail', 'periodStart', 'periodEnd'])
    .orderBy('scheduleId')
    .orderBy('id', 'desc')
    .execute()
  if (runs.length === 0) return new Map()
  const failed = await db
    .selectFrom('reportMails')
    .where(
      'runId',
      'in',
      runs.map(({ id }) => id),
    )
    .where('state', '=', 'failed')
    .select(['runId', 'address', 'detail'])
    .orderBy('id')
    .execute()
  return new Map(
    runs.map((run) => [
      run.scheduleId ?? 0,
      { ...run, failed: failed.filter(({ runId }) => runId === run.id).map(({ address, detail }) => ({ address, detail: detail ?? '' })) },
    ]),
  )
}

/** A run's problem, in words for its owner; null without one. */
export function troubleOf({ state, detail, periodStart, periodEnd, failed }: LastRun): string | null {
  const days = periodStart !== null && periodEnd !== null ? ` for ${daysOf({ start: periodStart, end: periodEnd }, true)}` : ''
  if (state === 'failed') return `The report${days} couldn't be created. ${detail ?? ''}`.trim()
  const [first, ...others] = failed
  if (!first) return null
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `The report${days} didn't reach ${first.address}${more}. ${first.detail}`.trim()
}
