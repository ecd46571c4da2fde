import type { DeliveryService } from '../../delivery/service.ts'
import { isDue, nextLook, pendingReport } from '../../../core/reports/due.ts'
import type { AccountsService } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
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

const batch = 100
const minuteMs = 60_000
/** Delay after a failed look, so that it doesn't hold up others. */
const pushedBackMs = 10 * minuteMs
/** A next look is never further away than the longest day; one that seems to be was planned by a wrong clock. */
const tooFarMs = 26 * 60 * minuteMs

/** Creates runs for due schedules, one per week or month. */
export async function planRuns(deps: PlanRunsDeps): Promise<void> {
  const { db, clock, log } = deps
  for (;;) {
    const now = clock.now()
    const due = await db
      .selectFrom('reportSchedules')
      .where('enabled', '=', true)
      .where((eb) => eb.or([eb('lookAt', '<=', now), eb('lookAt', '>', new Date(now.getTime() + tooFarMs))]))
      .select('id')
      .orderBy('lookAt')
      .limit(batch)
      .execute()
    let taken = 0
    for (const { id } of due) {
      const isTaken = await look(deps, id, now).catch(async (error: unknown) => {
        log.error({ err: error, schedule: id }, 'could not check whether a report is due; will retry')
        const lookAt = new Date(now.getTime() + pushedBackMs)
        await db.updateTable('reportSchedules').set({ lookAt }).where('id', '=', id).execute()
        return false
      })
      if (isTaken) taken += 1
    }
    if (taken === 0) return
  }
}

/** Returns whether this process did the look. Creates a due run and its job together or not at all. */
const look = (
  { db, accounts, delivery, periodic, recipients: people, saved, enqueue, hasMail, log }: PlanRunsDeps,
  id: number,
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
    const complete = await Promise.all(subject.properties.map((property) => periodic.isComplete(property, row.kind, period.start)))
    if (!isDue(period, complete, now)) return true
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
