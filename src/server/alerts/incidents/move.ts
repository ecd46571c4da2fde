import { sql } from 'kysely'
import type { AlertState } from '../../../contract/alerts/alerts.ts'
import type { Db } from '../../database/open.ts'
import { mayBeSnoozed } from './snooze-limits.ts'

/** What somebody does to alerts: the state they move to, and those they can be in before. */
export type Move = { state: Exclude<AlertState, 'recovered'>; from: readonly AlertState[]; until: Date | null; reason: string }

/** Rows of one statement: PostgreSQL takes 65,535 parameters, and one row has six; an alert may have thousands of parts. */
const mostRows = 5_000

/**
 * Moves open alerts of this person to a state and notes who did it; alerts already in that state stay as they are. An alert moves with all of
 * its parts, whichever of them is named: they have one cause.
 */
export async function moveIncidents(trx: Db, userId: string, ids: readonly string[], to: Move, now: Date): Promise<void> {
  const ofPerson = trx
    .selectFrom('alerts')
    .innerJoin('properties', 'properties.id', 'alerts.propertyId')
    .where('properties.userId', '=', userId)
    .where('properties.detachedAt', 'is', null)
  const named = await ofPerson
    .where(sql<boolean>`alerts.id = any(${ids.map(Number)})`)
    .select((eb) => eb.fn.coalesce('alerts.partOf', 'alerts.id').as('id'))
    .execute()
  const incidents = named.map(({ id }) => id)
  const rows = await ofPerson
    .where(sql<boolean>`(alerts.id = any(${incidents}) OR alerts.part_of = any(${incidents}))`)
    .where('alerts.state', 'in', to.from)
    .select(['alerts.id', 'alerts.state', 'alerts.partOf'])
    .orderBy('alerts.id')
    .forUpdate('alerts')
    .execute()
  const leads = rows.filter(({ partOf }) => partOf === null)
  if (to.state === 'snoozed') await mayBeSnoozed(trx, userId, leads, now)
  for (let at = 0; at < rows.length; at += mostRows) {
    const some = rows.slice(at, at + mostRows)
    const moved = some.map(({ id }) => id)
    await trx.updateTable('alerts').set({ state: to.state, snoozedUntil: to.until }).where('id', 'in', moved).execute()
    const noted = some.map(({ id, state }) => ({
      alertId: id,
      fromState: state,
      toState: to.state,
      reason: to.reason,
      byUser: userId,
      at: now,
    }))
    await trx.insertInto('alertEvents').values(noted).execute()
  }
}
