import { sql } from 'kysely'
import type { z } from 'zod'
import type { ReportSchedule, ReportScheduleChange, reportSchedules, ReportSubject } from '../../../contract/reports/reports.ts'
import { pacificDay } from '../../../core/analytics/days.ts'
import { reportPeriodOf } from '../../../core/analytics/report-periods.ts'
import { advancedReportingRefusal, recipientLimit, recipientsRefusal, whiteLabelRefusal } from '../../../core/billing/entitlements.ts'
import { noMailText } from '../../../core/delivery/no-mail.ts'
import { nextLook, nextReportAt } from '../../../core/reports/due.ts'
import { holdPerson, type Person } from '../../accounts/service.ts'
import { listed, recordEvent } from '../../audit/record.ts'
import type { Db } from '../../database/open.ts'
import type { DeliveryService } from '../../delivery/service.ts'
import { Refusal } from '../../common/errors.ts'
import { rememberShown } from '../../common/shown-to-others.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Recipients, turnedOff } from './recipients.ts'
import { lastRuns, problemOf, type ScheduleRow, troubleOf } from './schedule-trouble.ts'
import { findSubject, idOf, loadSubject, askedSegment, numberOf, type Saved } from '../subjects.ts'

export type SchedulesDeps = {
  db: Db
  delivery: Pick<DeliveryService, 'settingsOf'>
  recipients: Recipients
  saved: Saved
  hasMail: boolean
  clock: Clock
}

/** Maximum per person: all of them are returned at once. */
const mostSchedules = 100
/** Maximum total length of the recipients of all of a person's schedules, including those that are off. */
const mostRecipientCharacters = 500_000
const unknown = () => new Refusal(404, "This schedule doesn't exist or isn't yours.")

/** Which reports go to whom, and how often. A schedule outlives the plan that includes it: it pauses and says so. */
export function createSchedules({ db, delivery, recipients: people, saved, hasMail, clock }: SchedulesDeps) {
  const ofPerson = (trx: Db, userId: string) => trx.selectFrom('reportSchedules').where('reportSchedules.userId', '=', userId)

  /** @param only just this one, if it is theirs */
  const rows = (trx: Db, userId: string, only?: number): Promise<(ScheduleRow & { title: string | null; segmentName: string | null })[]> =>
    ofPerson(trx, userId)
      .leftJoin('properties', 'properties.id', 'reportSchedules.propertyId')
      .leftJoin('reportClients', 'reportClients.id', 'reportSchedules.clientId')
      .leftJoin('savedExplorations', (join) =>
        join
          .onRef('savedExplorations.id', '=', 'reportSchedules.segmentId')
          .onRef('savedExplorations.userId', '=', 'reportSchedules.userId'),
      )
      .$if(only !== undefined, (query) => query.where('reportSchedules.id', '=', only ?? 0))
      .selectAll('reportSchedules')
      .select('savedExplorations.name as segmentName')
      .select((eb) => eb.fn.coalesce('properties.name', 'reportClients.name').as('title'))
      .orderBy('title')
      .orderBy('reportSchedules.id')
      .execute()

  async function list(person: Person, trx: Db = db, only?: number): Promise<ReportSchedule[]> {
    const now = clock.now()
    const [settings, found, runs, isReached] = await Promise.all([
      delivery.settingsOf(person.id, person.plan, trx),
      rows(trx, person.id, only),
      lastRuns(trx, person.id),
      people.reached(trx, person),
    ])
    return Promise.all(
      found.map(async (row): Promise<ReportSchedule> => {
        const title = row.title ?? ''
        const waiting = row.recipients.filter((address) => !isReached(address))
        const problem = row.enabled
          ? problemOf({ row, waiting: waiting.length, title, plan: person.plan, hasMail, subject: await loadSubject(trx, person.id, row) })
          : null
        const run = runs.get(row.id)
        return {
          id: String(row.id),
          subject: row.clientId === null ? { property: title } : { client: String(row.clientId) },
          segment: row.segmentId === null ? null : String(row.segmentId),
          title: row.segmentName === null ? title : `${title} · ${row.segmentName}`,
          kind: row.kind,
          paper: row.paper,
          recipients: row.recipients,
          waiting,
          enabled: row.enabled,
          nextAt: row.enabled && problem === null ? nextReportAt(row, settings, now).toISOString() : null,
          lastSentAt: row.lastSentAt?.toISOString() ?? null,
          problem: problem ?? (run ? troubleOf(run) : null),
        }
      }),
    )
  }

  const present = (trx: Db, userId: string, id: number) =>
    ofPerson(trx, userId)
      .leftJoin('properties', 'properties.id', 'reportSchedules.propertyId')
      .where('reportSchedules.id', '=', id)
      .selectAll('reportSchedules')
      .select('properties.name as property')

  async function one(person: Person, id: number, trx: Db): Promise<ReportSchedule> {
    const [found] = await list(person, trx, id)
    if (!found) throw unknown()
    return found
  }

  /** How many schedules a person has, and the characters in the recipients of all but one. */
  const stock = (trx: Db, userId: string, but = 0) =>
    ofPerson(trx, userId)
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        sql<number>`coalesce(sum(length(recipients::text)) FILTER (WHERE id <> ${but}), 0)::integer`.as('characters'),
      ])
      .executeTakeFirstOrThrow()

  /** @throws Refusal 409 if these recipients and those of a person's other schedules are too many together */
  function refuseTooManyCharacters(recipients: readonly string[], others: number): void {
    if (recipients.reduce((sum, { length }) => sum + length, others) <= mostRecipientCharacters) return
    const most = mostRecipientCharacters.toLocaleString('en-US')
    throw new Refusal(
      409,
      `The recipients of all your schedules can have up to ${most} characters in total. Remove some, or delete a schedule.`,
      'recipients',
    )
  }

  /** A change as stored. @param before the schedule being changed @throws Refusal 403 or 404 */
  async function stored(person: Person, change: ReportScheduleChange, trx: Db, before: Named | null = null) {
    const recipients = distinct(change.recipients)
    const refusal =
      ('client' in change.subject ? whiteLabelRefusal(person.plan) : null) ?? recipientsRefusal(person.plan, recipients.length)
    // A paused one may keep what exceeds the plan.
    const mayKeep = before !== null && !change.enabled && recipients.length <= before.recipients.length
    if (refusal !== null && !mayKeep) throw new Refusal(403, refusal, 'recipients')
    const found = await findSubject(trx, person.id, change.subject)
    // Nor does a paused one's subject have to be connected still.
    const subject = found ?? (before !== null && !change.enabled && isAbout(before, change.subject) ? before : null)
    if (!subject) throw new Refusal(404, "That isn't one of your properties or clients.", 'subject')
    await askedSegment(saved, person.id, change.segment, trx)
    const { kind, paper, enabled } = change
    const segmentId = numberOf(change.segment)
    return { propertyId: subject.propertyId, clientId: subject.clientId, segmentId, kind, paper, enabled, recipients }
  }

  /**
   * From now on: starts with today's week or month, checked at the owner's digest hour. Earlier reports don't matter: the last week sent
   * may begin after the first month to come.
   */
  async function begins(person: Person, kind: ReportScheduleChange['kind'], trx: Db) {
    const now = clock.now()
    const settings = await delivery.settingsOf(person.id, person.plan, trx)
    return { firstStart: reportPeriodOf(kind, pacificDay(now)).start, sentStart: null, lookAt: nextLook(settings, now) }
  }

  /** Tells the owner where a report goes from now on. */
  async function noted(person: Person, schedule: ReportSchedule, trx: Db): Promise<ReportSchedule> {
    const details = { report: schedule.title, to: listed(schedule.recipients) }
    await recordEvent(trx, person.id, { kind: 'schedule-set', details }, clock.now())
    return schedule
  }

  return {
    list: async (person: Person): Promise<z.infer<typeof reportSchedules>> => ({
      locked: advancedReportingRefusal(person.plan),
      recipientLimit: recipientLimit(person.plan),
      schedules: await list(person),
    }),

    /**
     * @param from the requester's network address
     * @throws Refusal 403 if the plan doesn't include it, 404 for somebody else's subject, 409 if there are too many
     */
    async add(person: Person, change: ReportScheduleChange, from: string): Promise<ReportSchedule> {
      const locked = advancedReportingRefusal(person.plan)
      if (locked !== null) throw new Refusal(403, locked)
      return db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const { count, characters } = await stock(trx, person.id)
        if (count >= mostSchedules)
          throw new Refusal(409, `You've reached the limit of ${mostSchedules} schedules. Delete some to add more.`)
        const named = await stored(person, change, trx)
        refuseTooManyCharacters(named.recipients, characters)
        if (named.enabled) await people.admit(trx, person, named.recipients, from)
        const values = { ...named, ...(await begins(person, change.kind, trx)) }
        const { id } = await trx
          .insertInto('reportSchedules')
          .values({ userId: person.id, ...values, createdAt: clock.now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        return noted(person, await one(person, id, trx), trx)
      })
    },

    /** Whether a change leaves a schedule off, about the same thing, for nobody new. */
    async onlyStops({ id: userId }: Person, scheduleId: string, change: ReportScheduleChange): Promise<boolean> {
      if (change.enabled) return false
      const before = await present(db, userId, idOf(scheduleId)).executeTakeFirst()
      if (!before) return false
      const known = new Set(before.recipients.map((address) => address.toLowerCase()))
      const isSame = isAbout(before, change.subject) && before.segmentId === numberOf(change.segment)
      return isSame && change.recipients.every((address) => known.has(address.toLowerCase()))
    },

    /** @throws Refusal 403 if the plan doesn't include it, 404 if it isn't theirs, 409 for recipients who unsubscribed */
    async change(person: Person, scheduleId: string, change: ReportScheduleChange, from: string): Promise<ReportSchedule> {
      const id = idOf(scheduleId)
      return db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const before = await present(trx, person.id, id).forUpdate('reportSchedules').executeTakeFirst()
        if (!before) throw unknown()
        const values = await stored(person, change, trx, before)
        if (values.recipients.some((address) => !before.recipients.includes(address)))
          refuseTooManyCharacters(values.recipients, (await stock(trx, person.id, id)).characters)
        const gone = values.recipients.find((address) => before.unsubscribed.includes(address.toLowerCase()))
        if (gone !== undefined) throw new Refusal(409, `${gone} has unsubscribed from this report. Remove this address.`, 'recipients')
        if (values.enabled) await people.admit(trx, person, values.recipients, from)
        const isAnother =
          values.kind !== before.kind ||
          values.segmentId !== before.segmentId ||
          values.propertyId !== before.propertyId ||
          values.clientId !== before.clientId
        const restarts = values.enabled && (isAnother || !before.enabled)
        await rememberShown(trx, person.id, clock.now())
        const begin = restarts ? await begins(person, values.kind, trx) : {}
        await trx
          .updateTable('reportSchedules')
          .set({ ...values, ...begin })
          .where('id', '=', id)
          .execute()
        const changed = await one(person, id, trx)
        const goesWhereItWent = !isAnother && changed.recipients.every((address) => before.recipients.includes(address))
        return goesWhereItWent ? changed : noted(person, changed, trx)
      })
    },

    /** Allowed on every plan. @throws Refusal 404 if it isn't theirs */
    async remove(person: Person, scheduleId: string): Promise<void> {
      const id = idOf(scheduleId)
      await db.transaction().execute(async (trx) => {
        await rememberShown(trx, person.id, clock.now())
        const { title } = (await rows(trx, person.id, id))[0] ?? {}
        const removed = await trx.deleteFrom('reportSchedules').where('id', '=', id).where('userId', '=', person.id).executeTakeFirst()
        if (removed.numDeletedRows === 0n) throw unknown()
        await recordEvent(trx, person.id, { kind: 'schedule-removed', details: { report: title ?? '' } }, clock.now())
      })
    },

    /** Asks recipients again who haven't answered. @throws Refusal 404 if it isn't theirs, 409 if nobody can be asked, 429 */
    async askAgain(person: Person, scheduleId: string, from: string): Promise<ReportSchedule> {
      const locked = advancedReportingRefusal(person.plan)
      if (locked !== null) throw new Refusal(403, locked)
      if (!hasMail) throw new Refusal(409, noMailText)
      const id = idOf(scheduleId)
      return db.transaction().execute(async (trx) => {
        const row = await ofPerson(trx, person.id).where('id', '=', id).select(['recipients', 'enabled']).executeTakeFirst()
        if (!row) throw unknown()
        if (!row.enabled) throw new Refusal(409, turnedOff)
        await people.askAgain(trx, person, row.recipients, from)
        return one(person, id, trx)
      })
    },

    /** A schedule's owner; null if it was deleted. Links in older emails, from when answers were per schedule, name only the schedule. */
    async ownerOf(id: number): Promise<string | null> {
      return (await db.selectFrom('reportSchedules').where('id', '=', id).select('userId').executeTakeFirst())?.userId ?? null
    },
  }
}
export type Schedules = ReturnType<typeof createSchedules>

type Named = Pick<ScheduleRow, 'propertyId' | 'clientId' | 'recipients'> & { property: string | null }

const isAbout = ({ property, clientId }: Named, subject: ReportSubject): boolean =>
  'client' in subject ? idOf(subject.client) === clientId : subject.property === property

/** One email per mailbox, however its address is written. */
const distinct = (addresses: readonly string[]): string[] => [
  ...new Map(addresses.map((address) => [address.toLowerCase(), address])).values(),
]
