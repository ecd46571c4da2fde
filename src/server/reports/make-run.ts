import type { Selectable } from 'kysely'
import type { IsoDate } from '../../contract/common.ts'
import { reportPeriodOf } from '../../core/analytics/report-periods.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { daysOf } from '../../core/alerting/copy.ts'
import { advancedReportingRefusal, whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import { patienceMs } from '../../core/delivery/retries.ts'
import type { AccountsService } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import type { ReportRunsTable } from '../database/report-tables.ts'
import { type TimeLimits, WaitedTooLong } from '../platform/active-time.ts'
import { awayStore } from '../platform/store-outages.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { ServerStops } from '../platform/queue.ts'
import { forTenant, forTenantInTime, holdingSlot } from '../platform/tenant.ts'
import { Refusal } from '../common/errors.ts'
import type { ReportBrands } from './brands.ts'
import { composeReports, latestOf } from './compose-reports.ts'
import { mailContentOf } from './mail-content.ts'
import type { PageOf } from './pages-of-reports.ts'
import type { PeriodicReports } from './periodic-reports.ts'
import { takeMails, tooManyMails } from './schedules/recipients.ts'
import { drawPdf } from './draw-pdf.ts'
import { loadSubject, type Subject, titleWith } from './subjects.ts'

export type MakeRunDeps = {
  db: Db
  accounts: Pick<AccountsService, 'person'>
  periodic: PeriodicReports
  brands: ReportBrands
  /** The report's page; null if its recipients have none. */
  pageOf: PageOf
  /** Sends waiting emails if the transaction commits. */
  sendSoon: (transaction: Db) => Promise<void>
  clock: Clock
  log: Log
  /** For tests. */
  limits?: TimeLimits
}

type Run = Selectable<ReportRunsTable>

/** Attempts per run, so that a bug, or a server that dies of it, doesn't repeat forever. */
const mostAttempts = 3
const broken = 'Something went wrong on our side. Please try again. If it keeps happening, tell your administrator.'

const unreachable =
  "We couldn't read the data because part of this installation was down for a full day. Please try again. If it keeps happening, tell your administrator."

/** Of reading a report's data: together with drawing, less than a job may take. */
const usual: TimeLimits = { activeMs: 300_000, waitMs: 300_000 }
const tooSlow =
  "Reading this report's data took longer than five minutes. Choose fewer properties, a simpler segment, or no segment at all."
const tooBusy =
  "We couldn't read the data because this installation was too busy for a full day. Please try again. If it keeps happening, tell your administrator."

/** A run that can't be made; the message tells its owner why. */
class NotMade extends Error {}

/**
 * Makes a run's PDF and writes its emails. Repeating it afterwards changes nothing. An unavailable or busy store or a server shutdown isn't
 * the run's fault: that attempt is taken back, and the queue retries later.
 */
export async function makeRun(deps: MakeRunDeps, runId: number, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  const run = await db
    .updateTable('reportRuns')
    .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1), done: 0 }))
    .where('id', '=', runId)
    .where('state', 'in', ['waiting', 'running'])
    .returningAll()
    .executeTakeFirst()
  if (!run) return
  const fail = (detail: string) =>
    db.updateTable('reportRuns').set({ state: 'failed', detail }).where('id', '=', runId).where('state', '=', 'running').execute()
  if (run.attempts > mostAttempts) return void (await fail(broken))
  const takeBack = attemptOf(db, runId)
  const stops = (): boolean => signal.reason instanceof ServerStops
  // Right away: work that doesn't finish in time is killed and can't write anymore.
  signal.addEventListener('abort', () => void (stops() && takeBack()), { once: true })
  try {
    await forTenant(run.userId, () => holdingSlot(() => make(deps, run, signal)))
  } catch (error) {
    // Its segment can't be answered here.
    if (error instanceof Refusal) return void (await fail(error.message))
    if (error instanceof NotMade) return void (await fail(error.message))
    const isBusy = error instanceof WaitedTooLong
    const isLater = isBusy || awayStore(error) !== null
    if (isLater && clock.now().getTime() >= run.createdAt.getTime() + patienceMs) return void (await fail(isBusy ? tooBusy : unreachable))
    if (isLater || stops()) {
      await takeBack()
      log.warn({ err: error, run: runId }, 'a report was postponed')
      throw error
    }
    log.error({ err: error, run: runId }, 'a report could not be created')
    if (run.attempts >= mostAttempts) return void (await fail(broken))
    throw error
  }
}

/** Takes back the attempt just begun, once. If PostgreSQL is down, it counts. */
function attemptOf(db: Db, runId: number): () => Promise<void> {
  let taken: Promise<void> | undefined
  const take = async (): Promise<void> => {
    const ofRun = db.updateTable('reportRuns').set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    await ofRun
      .where('id', '=', runId)
      .where('state', '=', 'running')
      .execute()
      .catch(() => {})
  }
  return () => (taken ??= take())
}

async function make(
  { db, accounts, periodic, brands, pageOf, sendSoon, clock, log, limits = usual }: MakeRunDeps,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const person = await accounts.person(run.userId)
  const subject = await loadSubject(db, run.userId, run)
  if (!person || !subject) throw new NotMade('The property or client is no longer in your account.')
  const locked = advancedReportingRefusal(person.plan) ?? (run.clientId === null ? null : whiteLabelRefusal(person.plan))
  if (locked !== null) throw new NotMade(locked)

  const progress = progressOf(db, run.id, subject)
  const { start, period, reports, missing } = await inTime(run, limits, async () => {
    const first = run.periodStart ?? (await latestOf(periodic, subject, run.kind, clock.now()))?.start
    if (first === undefined) throw new NotMade(`There's no full ${run.kind} of data yet. Please wait until the data is complete.`)
    const whole = reportPeriodOf(run.kind, first)
    const known = { periodStart: whole.start, periodEnd: whole.end, total: subject.properties.length }
    await db.updateTable('reportRuns').set(known).where('id', '=', run.id).where('state', '=', 'running').execute()
    const about = { kind: run.kind, start: first, segment: run.segment }
    const composed = await composeReports(periodic, person, subject, about, { signal, onDone: progress.composed })
    return { ...composed, start: first, period: whole }
  })
  if (reports.length === 0) throw new NotMade(nothing(subject, period))

  const brand = await brands.inForce(person)
  const title = titleWith(subject.title, run.segment)
  const link = await pageOf({ ...run, start, isBranded: brand !== null })
  const pdf = await drawPdf({ title, kind: run.kind, period, paper: run.paper, brand, reports, missing, link }, progress.drawn)
  signal.throwIfAborted()
  const mail = mailContentOf({ title, kind: run.kind, period, missing, brand, reports })
  await db.transaction().execute(async (trx) => {
    const now = clock.now()
    const done = await trx
      .updateTable('reportRuns')
      .set({
        state: 'done',
        done: subject.properties.length,
        title,
        detail: missing.length === 0 ? null : `Not included because data isn't complete for this period: ${named(missing)}.`,
        mail: JSON.stringify(mail),
        pdf: Buffer.from(pdf),
      })
      .where('id', '=', run.id)
      .where('state', '=', 'running')
      .executeTakeFirst()
    // Another process was faster and wrote the emails too.
    if (done.numUpdatedRows === 0n || run.recipients.length === 0) return
    const allowed = await takeMails(trx, run.userId, run.recipients.length, now)
    await trx
      .insertInto('reportMails')
      .values(
        run.recipients.map((address, at) => ({
          runId: run.id,
          userId: run.userId,
          address,
          ...(at >= allowed && { state: 'failed' as const, detail: tooManyMails }),
          nextAttemptAt: now,
          giveUpAt: new Date(now.getTime() + patienceMs),
          createdAt: now,
        })),
      )
      .onConflict((oc) => oc.columns(['runId', 'address']).doNothing())
      .execute()
    await sendSoon(trx)
  })
  log.info({ run: run.id, properties: reports.length, bytes: pdf.length }, 'a report was created')
}

/** Reads a run's data, for a limited time: others' reports wait meanwhile. @throws NotMade, WaitedTooLong */
async function inTime<T>({ userId }: Run, limits: TimeLimits, work: () => Promise<T>): Promise<T> {
  try {
    return await forTenantInTime(userId, limits, work)
  } catch (error) {
    throw error instanceof DOMException && error.name === 'TimeoutError' ? new NotMade(tooSlow) : error
  }
}

const mostNamed = 10
const mostOfName = 200

/** A list of runs shows fifty of these, so only the first are named. */
export function named(properties: readonly string[]): string {
  const shown = properties
    .slice(0, mostNamed)
    .map(propertyName)
    .map((name) => (name.length > mostOfName ? `${name.slice(0, mostOfName - 1).toWellFormed()}…` : name))
  const more = properties.length - shown.length
  return more > 0 ? `${shown.join(', ')}, and ${more} more` : shown.join(', ')
}

type Named = { title: string; properties: readonly unknown[] }

/** Why there is no report on any of them. */
export function nothing({ title, properties }: Named, period: { start: IsoDate; end: IsoDate }): string {
  const days = daysOf(period, true)
  return properties.length === 1
    ? `${propertyName(title)} doesn't have complete data for ${days}.`
    : `None of the ${properties.length} properties have complete data for ${days}.`
}

/** A property is half done once it is loaded and fully once it is drawn. */
function progressOf(db: Db, runId: number, { properties }: Subject) {
  let [composed, drawn, reported] = [0, 0, 0]
  const report = async (): Promise<void> => {
    const done = Math.floor((composed + drawn) / 2)
    if (done <= reported) return
    reported = done
    await db.updateTable('reportRuns').set({ done }).where('id', '=', runId).where('state', '=', 'running').execute()
  }
  return {
    async composed(done: number): Promise<void> {
      composed = done
      await report()
    },
    drawn(done: number): void {
      drawn = Math.min(done, properties.length)
      // Failing to report progress is no reason to stop.
      void report().catch(() => {})
    },
  }
}
