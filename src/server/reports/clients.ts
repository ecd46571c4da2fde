import { sql } from 'kysely'
import type { z } from 'zod'
import type { ReportClient, reportClientChange, reportClients } from '../../contract/reports/reports.ts'
import { whiteLabelRefusal } from '../../core/billing/entitlements.ts'
import type { Person } from '../accounts/service.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import { idOf } from './subjects.ts'

type Change = z.infer<typeof reportClientChange>

/** Of one person at most: all of them are answered at once. */
const mostClients = 200
const unknown = () => new Refusal(404, 'You have no such client.')

/** Clients of agencies: named sets of properties. */
export function createClients({ db, clock }: { db: Db; clock: Clock }) {
  const all = async (userId: string, trx: Db = db): Promise<ReportClient[]> => {
    const rows = await trx
      .selectFrom('reportClients')
      .leftJoin('reportClientProperties', 'reportClientProperties.clientId', 'reportClients.id')
      // What is not watched any more is no part of a client, until it is again.
      .leftJoin('properties', (join) =>
        join
          .onRef('properties.id', '=', 'reportClientProperties.propertyId')
          .on('properties.detachedAt', 'is', null)
          .on('properties.monitored', '=', true),
      )
      .where('reportClients.userId', '=', userId)
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

  /** @throws Refusal 404 for a property that is not theirs or not watched */
  async function setProperties(trx: Db, userId: string, clientId: number, names: readonly string[]): Promise<void> {
    const wanted = [...new Set(names)]
    const rows = await trx
      .selectFrom('properties')
      .where('userId', '=', userId)
      .where('detachedAt', 'is', null)
      .where('monitored', '=', true)
      .where('name', 'in', wanted)
      .select(['id', 'name'])
      .execute()
    const strange = wanted.find((name) => !rows.some((row) => row.name === name))
    if (strange !== undefined) throw new Refusal(404, `${strange} isn't one of the properties you monitor.`, 'properties')
    await trx.deleteFrom('reportClientProperties').where('clientId', '=', clientId).execute()
    await trx
      .insertInto('reportClientProperties')
      .values(rows.map(({ id }) => ({ clientId, propertyId: id })))
      .execute()
  }

  function refuseLocked({ plan }: Person): void {
    const locked = whiteLabelRefusal(plan)
    if (locked !== null) throw new Refusal(403, locked)
  }

  async function one(userId: string, id: number, trx: Db): Promise<ReportClient> {
    const found = (await all(userId, trx)).find((client) => client.id === String(id))
    if (!found) throw unknown()
    return found
  }

  return {
    list: async ({ id, plan }: Person): Promise<z.infer<typeof reportClients>> => ({
      locked: whiteLabelRefusal(plan),
      clients: await all(id),
    }),

    /** @throws Refusal 403 when the plan has none, 404 for somebody else's property, 409 when there are too many */
    async add(person: Person, { name, properties }: Change): Promise<ReportClient> {
      refuseLocked(person)
      return db.transaction().execute(async (trx) => {
        // The person's row is locked, so that two requests cannot both take the last place.
        await trx.selectFrom('people').where('userId', '=', person.id).select('userId').forUpdate().execute()
        if ((await all(person.id, trx)).length >= mostClients) throw new Refusal(409, `You've reached the limit of ${mostClients} clients.`)
        const { id } = await trx
          .insertInto('reportClients')
          .values({ userId: person.id, name, createdAt: clock.now() })
          .returning('id')
          .executeTakeFirstOrThrow()
        await setProperties(trx, person.id, id, properties)
        return one(person.id, id, trx)
      })
    },

    /** @throws Refusal 403 when the plan has none, 404 when it, or a property, is not theirs */
    async change(person: Person, clientId: string, { name, properties }: Change): Promise<ReportClient> {
      refuseLocked(person)
      const id = idOf(clientId)
      return db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('reportClients')
          .set({ name })
          .where('id', '=', id)
          .where('userId', '=', person.id)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw unknown()
        await setProperties(trx, person.id, id, properties)
        return one(person.id, id, trx)
      })
    },

    /** With its schedules, runs and links; allowed on every plan. @throws Refusal 404 when it is not theirs */
    async remove(person: Person, clientId: string): Promise<void> {
      const removed = await db
        .deleteFrom('reportClients')
        .where('id', '=', idOf(clientId))
        .where('userId', '=', person.id)
        .executeTakeFirst()
      if (removed.numDeletedRows === 0n) throw unknown()
    },
  }
}
export type Clients = ReturnType<typeof createClients>
