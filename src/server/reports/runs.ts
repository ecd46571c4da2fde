import { propertyName } from '../../core/accounts/property-name.ts'
import type { Period } from '../../contract/metrics.ts'
import type { NewReportRun, ReportRun } from '../../contract/reports/reports.ts'
import { reportFilesKept, reportsMadeADay } from '../../contract/reports/limits.ts'
import { reportPeriodOf } from '../../core/analytics/report-periods.ts'
import { advancedReportingRefusal, recipientsRefusal, whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import { noMailText } from '../../core/delivery/no-mail.ts'
import { holdPerson, type Person } from '../accounts/service.ts'
import { takeOfDay } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { isShownToOthers } from '../common/shown-to-others.ts'
import type { Clock } from '../platform/clock.ts'
import { attachment } from '../platform/file-names.ts'
import { type Recipients, turnedOff } from './schedules/recipients.ts'
import { reportFileName } from './report-file-name.ts'
import { findSubject, idOf, askedSegment, numberOf, type Saved, storedSegment, titleWith } from './subjects.ts'

export type RunsDeps = {
  db: Db
  saved: Saved
  /** Starts a run if the transaction commits. */
  enqueue: (run: { id: number; userId: string }, transaction: Db) => Promise<void>
  recipients: Pick<Recipients, 'reached'>
  hasMail: boolean
  clock: Clock
}

/** Runs of one person in progress or waiting. */
const mostOpen = 5
const shownRuns = 50
const columns = ['id', 'title', 'kind', 'periodStart', 'periodEnd', 'state', 'done', 'total', 'recipients', 'createdAt', 'detail'] as const
const fileGone = `This report's file was deleted: we keep your newest ${reportFilesKept} files, up to 1 GB. Create the report again.`
const tooMany = `You've reached the limit of ${reportsMadeADay} reports a day. Try again tomorrow (UTC). Scheduled reports aren't affected.`
const unknown = () => new Refusal(404, "This report doesn't exist or isn't yours. Reports are kept for 90 days.")

/** Reports as files, finished or in progress. */
export function createRuns({ db, saved, enqueue, recipients: people, hasMail, clock }: RunsDeps) {
  const ofPerson = (userId: string) => db.selectFrom('reportRuns').where('userId', '=', userId)

  /** The recipients of a run's emails. @throws Refusal */
  async function recipientsOf(
    trx: Db,
    person: Person,
    scheduleId: string,
    subject: { propertyId: number | null; clientId: number | null; segmentId: number | null },
  ) {
    const schedule = await trx
      .selectFrom('reportSchedules')
      .where('userId', '=', person.id)
      .where('id', '=', idOf(scheduleId))
      .where('propertyId', 'is not distinct from', subject.propertyId)
      .where('clientId', 'is not distinct from', subject.clientId)
      .where('segmentId', 'is not distinct from', subject.segmentId)
      .select(['id', 'recipients', 'enabled'])
      .executeTakeFirst()
    if (!schedule) throw new Refusal(404, 'This schedule no longer exists. Reload this page.', 'schedule')
    if (!schedule.enabled) throw new Refusal(409, turnedOff, 'schedule')
    const refusal = recipientsRefusal(person.plan, schedule.recipients.length)
    if (refusal !== null) throw new Refusal(403, refusal, 'schedule')
    if (!hasMail) throw new Refusal(409, noMailText, 'schedule')
    if (schedule.recipients.length === 0)
      throw new Refusal(409, 'Every recipient has unsubscribed from this schedule. Add another one first.', 'schedule')
    const recipients = schedule.recipients.filter(await people.reached(trx, person))
    if (recipients.length === 0)
      throw new Refusal(
        409,
        'No recipient of this schedule has confirmed yet. They can confirm using the link we emailed them.',
        'schedule',
      )
    return { id: schedule.id, recipients }
  }

  return {
    /** Whether it goes to somebody other than the account's owner. */
    async sendsToOthers(person: Person, { schedule }: NewReportRun): Promise<boolean> {
      return schedule !== undefined && isShownToOthers(db, person, { schedule: idOf(schedule) }, clock.now())
    },

    list: async ({ id }: Person): Promise<ReportRun[]> =>
      (await ofPerson(id).select(columns).orderBy('id', 'desc').limit(shownRuns).execute()).map(toRun),

    /** @throws Refusal 404 if it isn't theirs */
    async one({ id: userId }: Person, runId: string): Promise<ReportRun> {
      const row = await ofPerson(userId).where('id', '=', idOf(runId)).select(columns).executeTakeFirst()
      if (!row) throw unknown()
      return toRun(row)
    },

    /** @throws Refusal 404 if it isn't theirs, or isn't finished */
    async file({ id: userId }: Person, runId: string): Promise<{ pdf: Buffer; disposition: string }> {
      const row = await ofPerson(userId)
        .where('id', '=', idOf(runId))
        .select([...columns, 'pdf'])
        .executeTakeFirst()
      const run = row && toRun(row)
      if (!run) throw unknown()
      if (!row?.pdf || !run.period) throw new Refusal(404, run.state === 'done' ? fileGone : "This report isn't ready yet.")
      return { pdf: row.pdf, disposition: attachment(reportFileName(run.title, run.period)) }
    },

    /**
     * @throws Refusal 400 for a wrong first day, 403 if the plan has none, 404 for what isn't theirs, 409 for nothing to do, 429 for too
     * many
     */
    async start(
      person: Person,
      { subject: asked, segment: segmentId, kind, paper, start, schedule: scheduleId }: NewReportRun,
    ): Promise<ReportRun> {
      const locked = advancedReportingRefusal(person.plan) ?? ('client' in asked ? whiteLabelRefusal(person.plan) : null)
      if (locked !== null) throw new Refusal(403, locked)
      const period = start === undefined ? null : reportPeriodOf(kind, start)
      if (period && period.start !== start) throw new Refusal(400, `No ${kind} starts on ${start}.`, 'start')
      return db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const subject = await findSubject(trx, person.id, asked)
        if (!subject) throw new Refusal(404, "That isn't one of your properties or clients.", 'subject')
        if (subject.properties.length === 0)
          throw new Refusal(
            409,
            `None of the properties in ${propertyName(subject.title)} are monitored right now. Monitor at least one of them first.`,
            'subject',
          )
        const segment = await askedSegment(saved, person.id, segmentId, trx)
        const schedule =
          scheduleId === undefined ? null : await recipientsOf(trx, person, scheduleId, { ...subject, segmentId: numberOf(segmentId) })
        const open = await trx
          .selectFrom('reportRuns')
          .where('userId', '=', person.id)
          .where('state', 'in', ['waiting', 'running'])
          .select('id')
          .execute()
        if (open.length >= mostOpen) throw new Refusal(429, `You already have ${mostOpen} reports in progress. Wait until one is done.`)
        const now = clock.now()
        const taken = await takeOfDay(trx, { what: 'report-run', whose: person.id }, 1, reportsMadeADay, now)
        if (taken === 0) throw new Refusal(429, tooMany)
        const row = await trx
          .insertInto('reportRuns')
          .values({
            userId: person.id,
            propertyId: subject.propertyId,
            clientId: subject.clientId,
            scheduleId: schedule?.id ?? null,
            scheduled: false,
            title: titleWith(subject.title, segment),
            segment: storedSegment(segment),
            kind,
            paper,
            periodStart: period?.start ?? null,
            periodEnd: period?.end ?? null,
            total: subject.properties.length,
            recipients: schedule?.recipients ?? [],
            createdAt: now,
          })
          .returning(columns)
          .executeTakeFirstOrThrow()
        await enqueue({ id: row.id, userId: person.id }, trx)
        return toRun(row)
      })
    },
  }
}
export type Runs = ReturnType<typeof createRuns>

type Row = Omit<ReportRun, 'id' | 'period' | 'recipients' | 'createdAt'> & {
  id: number
  periodStart: string | null
  periodEnd: string | null
  recipients: string[]
  createdAt: Date
}

function toRun({ id, periodStart, periodEnd, recipients, createdAt, ...run }: Row): ReportRun {
  const period: Period | null = periodStart !== null && periodEnd !== null ? { start: periodStart, end: periodEnd } : null
  const { title, kind, state, done, total, detail } = run
  return {
    id: String(id),
    title,
    kind,
    period,
    state,
    done,
    total,
    recipients: recipients.length,
    createdAt: createdAt.toISOString(),
    detail,
  }
}
