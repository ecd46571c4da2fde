import type { Selectable } from 'kysely'
import type { IsoDate } from '../../../contract/common.ts'
import type { ReportKind } from '../../../contract/reports/periodic.ts'
import type { DeliveryService } from '../../delivery/service.ts'
import { isDue, nextLook, pendingReport } from '../../../core/reports/due.ts'
import type { AccountsService } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import type { ReportSchedulesTable } from '../../database/report-tables.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { forTenantInTime } from '../../platform/tenant.ts'
import type { PeriodicReports } from '../periodic-reports.ts'
import type { Recipients } from './recipients.ts'
import { problemOf } from './schedule-trouble.ts'
import { loadSubject, type Saved, storedSegment, titleWith } from '../subjects.ts'

export type PlanRunsDeps = {
  db: Db
  accounts: Pick<AccountsService, 'person'>
  delivery: Pick<DeliveryService, 'settingsOf'>
  periodic: Pick<PeriodicReports, 'isComplete'>
  recipients: Pick<Recipients, 'reached'>
  saved: Saved
  /** Starts a run if the transaction commits. */
  enqueue: (run: { id: number; userId: string }, transaction: Db) => Promise<void>
  hasMail: boolean
  clock: Clock
  log: Log
}

type ScheduleRow = Selectable<ReportSchedulesTable>
/** The properties whose week or month is complete. */
type Complete = { kind: ReportKind; start: IsoDate; ids: ReadonlySet<number> }

const batch = 100
/** How long a schedule waits for the answers about its properties. */
const completeMs = 15_000
const minuteMs = 60_000
/** Delay after a failed look, so that it doesn't hold up others. */
const pushedBackMs = 10 * minuteMs
/** A next look is never further away than the longest day; one that seems to be was planned by a wrong clock. */
const tooFarMs = 26 * 60 * minuteMs

/** Creates runs for due schedules, one per week or month. */
export async function planRuns(deps: PlanRunsDeps): Promise<void> {
  const { db, clock, log } = deps
  /** Owners whose other schedules are checked later: everybody's wait meanwhile. */
  const tooLate = new Set<string>()
  const pushBack = async (id: number, now: Date): Promise<false> => {
    const lookAt = new Date(now.getTime() + pushedBackMs)
    await db.updateTable('reportSchedules').set({ lookAt }).where('id', '=', id).execute()
    return false
  }
  const lookInTime = async (row: ScheduleRow, now: Date): Promise<boolean> =>
    tooLate.has(row.userId) ? pushBack(row.id, now) : look(deps, row.id, await completeOf(deps, row, now), now)

  for (;;) {
    const now = clock.now()
    const due = await db
      .selectFrom('reportSchedules')
      .where('enabled', '=', true)
      .where((eb) => eb.or([eb('lookAt', '<=', now), eb('lookAt', '>', new Date(now.getTime() + tooFarMs))]))
      .selectAll()
      .orderBy('lookAt')
      .orderBy('id')
      .limit(batch)
      .execute()
    let taken = 0
    for (const row of due) {
      const { id, userId } = row
      const isTaken = await lookInTime(row, now).catch(async (error: unknown) => {
        tooLate.add(userId)
        log.error({ err: error, schedule: id }, 'could not check whether a report is due; will retry')
        await pushBack(id, now)
        return false
      })
      if (isTaken) taken += 1
    }
    if (taken === 0) return
  }
}

/**
 * The properties that a schedule need not wait for. Asked at its owner's cost and before any row is locked: there may be many, and the
 * owner's other questions come first.
 */
async function completeOf({ db, periodic }: PlanRunsDeps, row: ScheduleRow, now: Date): Promise<Complete | null> {
  const period = row.lookAt.getTime() > now.getTime() ? null : pendingReport(row, now)
  const subject = period && (await loadSubject(db, row.userId, row))
  if (!period || !subject) return null
  return forTenantInTime(row.userId, completeMs, async () => {
    const asked = subject.properties.map(async (property) =>
      (await periodic.isComplete(property, row.kind, period.start)) ? [property.id] : [],
    )
    return { kind: row.kind, start: period.start, ids: new Set((await Promise.all(asked)).flat()) }
  })
}

/** Returns whether this process did the look. Creates a due run and its job together or not at all. */
const look = (
  { db, accounts, delivery, recipients: people, saved, enqueue, hasMail, log }: PlanRunsDeps,
  id: number,
  complete: Complete | null,
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('reportSchedules')
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where((eb) => eb.or([eb('lookAt', '<=', now), eb('lookAt', '>', new Date(now.getTime() + tooFarMs))]))
      .selectAll()
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    const person = row && (await accounts.person(row.userId))
    if (!row || !person) return false
    const lookAt = nextLook(await delivery.settingsOf(row.userId, person.plan, trx), now)
    await trx.updateTable('reportSchedules').set({ lookAt }).where('id', '=', id).execute()
    if (row.lookAt.getTime() > now.getTime()) return true

    const period = pendingReport(row, now)
    if (period === null) return true
    const subject = await loadSubject(trx, row.userId, row)
    const isReached = await people.reached(trx, person)
    const recipients = row.recipients.filter(isReached)
    const waiting = row.recipients.length - recipients.length
    if (!subject || problemOf({ row, waiting, title: subject.title, plan: person.plan, hasMail, subject }) !== null) return true
    // If the schedule has changed meanwhile, it waits for the next look.
    const isAsked = complete?.kind === row.kind && complete.start === period.start
    const each = subject.properties.map((property) => isAsked && complete.ids.has(property.id))
    if (!isDue(period, each, now)) return true
    const segment = row.segmentId === null ? null : await saved.segment(row.userId, String(row.segmentId), trx)
    const run = await trx
      .insertInto('reportRuns')
      .values({
        userId: row.userId,
        propertyId: row.propertyId,
        clientId: row.clientId,
        scheduleId: id,
        scheduled: true,
        title: titleWith(subject.title, segment),
        segment: storedSegment(segment),
        kind: row.kind,
        paper: row.paper,
        periodStart: period.start,
        periodEnd: period.end,
        total: subject.properties.length,
        recipients,
        createdAt: now,
      })
      .onConflict((oc) => oc.columns(['scheduleId', 'kind', 'periodStart']).where('scheduled', '=', true).doNothing())
      .returning('id')
      .executeTakeFirst()
    await trx.updateTable('reportSchedules').set({ sentStart: period.start }).where('id', '=', id).execute()
    if (!run) return true
    await enqueue({ id: run.id, userId: row.userId }, trx)
    log.info({ schedule: id, run: run.id }, 'a report is due')
    return true
  })
