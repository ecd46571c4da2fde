import { propertyName } from '../../core/accounts/property-name.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { ReportClient, reportClientChange, reportClients } from '../../contract/reports/reports.ts'
import { whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import { holdPerson, type Person } from '../accounts/service.ts'
import { listed, recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import { isShownToOthers, rememberShown } from '../common/shown-to-others.ts'
import type { Clock } from '../platform/clock.ts'
import { idOf } from './subjects.ts'

type Change = z.infer<typeof reportClientChange>

/** Maximum per person: all of them are returned at once. */
const mostClients = 200
/** Maximum total length of the names of all clients' properties: the list names each property again for each of its clients. */
const mostNameCharacters = 1_000_000
const unknown = () => new Refusal(404, "This client doesn't exist or isn't yours.")

/** Agencies' clients: named sets of properties. */
export function createClients({ db, clock }: { db: Db; clock: Clock }) {
  /** @param only just this one, if it is theirs */
  const all = async (userId: string, trx: Db = db, only?: number): Promise<ReportClient[]> => {
    const rows = await trx
      .selectFrom('reportClients')
      .leftJoin('reportClientProperties', 'reportClientProperties.clientId', 'reportClients.id')
      // Those that aren't monitored, too: they are in its reports again once they are, so their owner must see and can remove them.
      .leftJoin('properties', 'properties.id', 'reportClientProperties.propertyId')
      .where('reportClients.userId', '=', userId)
      .$if(only !== undefined, (query) => query.where('reportClients.id', '=', only ?? 0))
      .select(['reportClients.id', 'reportClients.name'])
      .select(
        sql<string[]>`coalesce(array_agg(properties.name ORDER BY properties.name) FILTER (WHERE properties.id IS NOT NULL), '{}')`.as(
          'properties',
        ),
      )
      .groupBy('reportClients.id')
      .orderBy('reportClients.name')
      .orderBy('reportClients.id')
      .execute()
    return rows.map(({ id, ...client }) => ({ id: String(id), ...client }))
  }

  /** Returns the names of those that are new to it. @throws Refusal 404 for one of those that isn't theirs or isn't monitored */
  async function setProperties(trx: Db, userId: string, clientId: number, names: readonly string[]): Promise<string[]> {
    const wanted = [...new Set(names)]
    const removed = await trx.deleteFrom('reportClientProperties').where('clientId', '=', clientId).returning('propertyId').execute()
    const before = new Set(removed.map(({ propertyId }) => propertyId))
    const theirs = await trx
      .selectFrom('properties')
      .where('userId', '=', userId)
      .where('name', 'in', wanted)
      .select(['id', 'name', 'monitored', 'detachedAt'])
      .execute()
    const rows = theirs.filter(({ id, monitored, detachedAt }) => before.has(id) || (monitored && detachedAt === null))
    const found = new Set(rows.map(({ name }) => name))
    const strange = wanted.find((name) => !found.has(name))
    if (strange !== undefined)
      throw new Refusal(404, `${propertyName(strange)} isn't one of the properties you monitor. Choose it under Sites first.`, 'properties')
    await trx
      .insertInto('reportClientProperties')
      .values(rows.map(({ id }) => ({ clientId, propertyId: id })))
      .execute()
    const added = rows.filter(({ id }) => !before.has(id)).map(({ name }) => name)
    if (added.length > 0) await refuseTooManyNames(trx, userId)
    return added
  }

  /** @throws Refusal 409 if the names of all clients' properties are too long together */
  async function refuseTooManyNames(trx: Db, userId: string): Promise<void> {
    const { characters } = await trx
      .selectFrom('reportClients')
      .innerJoin('reportClientProperties', 'reportClientProperties.clientId', 'reportClients.id')
      .innerJoin('properties', 'properties.id', 'reportClientProperties.propertyId')
      .where('reportClients.userId', '=', userId)
      .select(sql<number>`coalesce(sum(length(properties.name)), 0)::integer`.as('characters'))
      .executeTakeFirstOrThrow()
    if (characters <= mostNameCharacters) return
    const most = mostNameCharacters.toLocaleString('en-US')
    throw new Refusal(
      409,
      `The names of the properties of all your clients can have up to ${most} characters in total. Remove properties from some of them.`,
      'properties',
    )
  }

  function refuseLocked({ plan }: Person): void {
    const locked = whiteLabelRefusal(plan)
    if (locked !== null) throw new Refusal(403, locked)
  }

  async function one(userId: string, id: number, trx: Db): Promise<ReportClient> {
    const [found] = await all(userId, trx, id)
    if (!found) throw unknown()
    return found
  }

  return {
    list: async ({ id, plan }: Person): Promise<z.infer<typeof reportClients>> => ({
      locked: whiteLabelRefusal(plan),
      clients: await all(id),
    }),

    /** @throws Refusal 403 if the plan has no clients, 404 for somebody else's property, 409 if there are too many */
    async add(person: Person, { name, properties }: Change): Promise<ReportClient> {
      refuseLocked(person)
      return db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const { count } = await trx
          .selectFrom('reportClients')
          .where('userId', '=', person.id)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        if (count >= mostClients) throw new Refusal(409, `You've reached the limit of ${mostClients} clients. Delete some to add more.`)
        const { id } = await trx
          .insertInto('reportClients')
          .values({ userId: person.id, name, createdAt: clock.now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await setProperties(trx, person.id, id, properties)
        return one(person.id, id, trx)
      })
    },

    /** Whether that change adds properties or gives another name, and somebody else then sees it: by a link in force, or by email. */
    async showsOthersMore(person: Person, { name, properties }: Change, clientId: string): Promise<boolean> {
      const client = idOf(clientId)
      const { rows } = await sql`SELECT FROM report_clients AS client WHERE id = ${client} AND user_id = ${person.id}
        AND (name <> ${name} OR NOT ${properties}::text[] <@ ARRAY(SELECT name FROM report_client_properties
          JOIN properties ON properties.id = property_id WHERE client_id = client.id))`.execute(db)
      return rows.length > 0 && isShownToOthers(db, person, { client }, clock.now())
    },

    /** @throws Refusal 403 if the plan has no clients, 404 if it, or a property, isn't theirs */
    async change(person: Person, clientId: string, { name, properties }: Change): Promise<ReportClient> {
      refuseLocked(person)
      const id = idOf(clientId)
      return db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const { numUpdatedRows } = await trx
          .updateTable('reportClients')
          .set({ name })
          .where('id', '=', id)
          .where('userId', '=', person.id)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw unknown()
        await rememberShown(trx, person.id, clock.now())
        const added = await setProperties(trx, person.id, id, properties)
        const details = { client: name, properties: listed(added) }
        if (added.length > 0) await recordEvent(trx, person.id, { kind: 'client-extended', details }, clock.now())
        return one(person.id, id, trx)
      })
    },

    /** Also removes its schedules, runs and links; allowed on every plan. @throws Refusal 404 if it isn't theirs */
    async remove(person: Person, clientId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await rememberShown(trx, person.id, clock.now())
        const ofTheirs = trx.deleteFrom('reportClients').where('id', '=', idOf(clientId)).where('userId', '=', person.id)
        if ((await ofTheirs.executeTakeFirst()).numDeletedRows === 0n) throw unknown()
      })
    },
  }
}
export type Clients = ReturnType<typeof createClients>
