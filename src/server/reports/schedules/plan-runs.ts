import type { Selectable } from 'kysely'
import type { IsoDate } from '../../../contract/common.ts'
import type { ReportKind } from '../../../contract/reports/periodic.ts'
import type { DeliveryService } from '../../delivery/service.ts'
import { isDue, isOverdue, nextLook, pendingReport } from '../../../core/reports/due.ts'
import type { AccountsService, Person } from '../../accounts/service.ts'
import type { Db } from '../../database/open.ts'
import { isOpen } from '../../database/open-accounts.ts'
import type { ReportSchedulesTable } from '../../database/report-tables.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { type TimeLimits, WaitedTooLong } from '../../platform/active-time.ts'
import { forTenantInTime } from '../../platform/tenant.ts'
import type { PeriodicReports } from '../periodic-reports.ts'
import type { Recipients } from './recipients.ts'
import { problemOf } from './schedule-trouble.ts'
import { loadSubject, type Saved, storedSegment, titleWith } from '../subjects.ts'

export type PlanRunsDeps = {
  db: Db
  accounts: Pick<AccountsService, 'person'>
  delivery: Pick<DeliveryService, 'settingsOf'>
  periodic: Pick<PeriodicReports, 'completeAmong'>
  recipients: Pick<Recipients, 'reached'>
  saved: Saved
  /** Starts a run if the transaction commits. */
  enqueue: (run: { id: number; userId: string }, transaction: Db) => Promise<void>
  hasMail: boolean
  clock: Clock
  log: Log
  /** For tests. */
  limits?: Partial<typeof usual>
}

type ScheduleRow = Selectable<ReportSchedulesTable>
/** The properties whose week or month is complete. */
type Complete = { kind: ReportKind; start: IsoDate; ids: ReadonlySet<number> }

const batch = 100
const usual = {
  /** A check ends after that; there is one every minute. */
  sliceMs: 60_000,
  /** For the answers about the properties of all of an owner's schedules together, and how long each may wait for others' questions. */
  activeMs: 15_000,
  waitMs: 25_000,
}
const minuteMs = 60_000
/** Delay after a failed check, so that it doesn't hold up others. */
const pushedBackMs = 10 * minuteMs
/** The next check is never further away than the longest day; one that seems to be was planned by a wrong clock. */
const tooFarMs = 26 * 60 * minuteMs

/** Creates runs for due schedules, one per week or month. */
export async function planRuns(deps: PlanRunsDeps): Promise<void> {
  const { db, clock, log } = deps
  const { sliceMs, activeMs: mostMs, waitMs } = { ...usual, ...deps.limits }
  const ends = performance.now() + sliceMs
  /** How long the answers about an owner's schedules took. */
  const spentMs = new Map<string, number>()
  /** Owners whose other schedules are checked later, and how much later, since everybody else's have to wait meanwhile. */
  const later = new Map<string, number>()

  async function pushBack(id: number, now: Date, ms: number): Promise<false> {
    await db
      .updateTable('reportSchedules')
      .set({ lookAt: new Date(now.getTime() + ms) })
      .where('id', '=', id)
      .execute()
    return false
  }

  async function lookInTime(row: ScheduleRow, now: Date): Promise<boolean> {
    const { id, userId } = row
    const pushedMs = later.get(userId)
    if (pushedMs !== undefined) return pushBack(id, now, pushedMs)
    const spent = spentMs.get(userId) ?? 0
    const limits = { waitMs, activeMs: mostMs - spent, took: (ms: number) => void spentMs.set(userId, spent + ms) }
    const isTaken = await look(deps, id, await completeOf(deps, row, now, limits), now)
    if ((spentMs.get(userId) ?? 0) >= mostMs) later.set(userId, pushedBackMs)
    return isTaken
  }

  function failed({ id, userId }: ScheduleRow, now: Date, error: unknown): Promise<false> {
    // Waiting behind others' queries is nobody's fault, so the next check comes soon.
    const isFault = !(error instanceof WaitedTooLong)
    const ms = isFault ? pushedBackMs : minuteMs
    later.set(userId, ms)
    if (isFault) log.error({ err: error, schedule: id }, 'could not check whether a report is due; will retry')
    return pushBack(id, now, ms)
  }

  for (;;) {
    const now = clock.now()
    const due = await db
      .selectFrom('reportSchedules')
      .where('enabled', '=', true)
      .where(isOpen('reportSchedules.userId'))
      .where((eb) => eb.or([eb('lookAt', '<=', now), eb('lookAt', '>', new Date(now.getTime() + tooFarMs))]))
      .selectAll()
      .orderBy('lookAt')
      .orderBy('id')
      .limit(batch)
      .execute()
    let taken = 0
    for (const row of due) {
      if (await lookInTime(row, now).catch((error: unknown) => failed(row, now, error))) taken += 1
      if (performance.now() >= ends) return
    }
    if (taken === 0) return
  }
}

/**
 * The properties that a schedule need not wait for; null if it sends nothing now, or waits for none. Asked at its owner's cost and before any
 * row is locked: there may be many, and the owner's other questions come first.
 */
async function completeOf(deps: PlanRunsDeps, row: ScheduleRow, now: Date, limits: TimeLimits): Promise<Complete | null> {
  const { db, accounts, periodic } = deps
  const period = row.lookAt.getTime() > now.getTime() ? null : pendingReport(row, now)
  if (!period || isOverdue(period, now)) return null
  const person = await accounts.person(row.userId)
  const subject = person && (await readyFor(deps, db, row, person))?.subject
  if (!subject) return null
  const ids = await forTenantInTime(row.userId, limits, () => periodic.completeAmong(subject.properties, period))
  return { kind: row.kind, start: period.start, ids }
}

/** What a schedule's report is about, and who gets it; null if nothing can be sent. */
async function readyFor({ recipients: people, hasMail }: PlanRunsDeps, db: Db, row: ScheduleRow, person: Person) {
  const subject = await loadSubject(db, row.userId, row)
  if (!subject) return null
  const recipients = row.recipients.filter(await people.reached(db, person))
  const waiting = row.recipients.length - recipients.length
  const { title } = subject
  return problemOf({ row, waiting, title, plan: person.plan, hasMail, subject }) === null ? { subject, recipients } : null
}

/** Returns whether this process did the check. Creates a due run and its job together or not at all. */
function look(deps: PlanRunsDeps, id: number, complete: Complete | null, now: Date): Promise<boolean> {
  const { db, accounts, delivery, saved, enqueue, log } = deps
  return db.transaction().execute(async (trx) => {
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
    const ready = await readyFor(deps, trx, row, person)
    if (!ready) return true
    const { subject, recipients } = ready
    // If the schedule has changed meanwhile, it waits for the next check.
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
}
