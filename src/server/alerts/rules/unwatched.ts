import type { Db } from '../../database/open.ts'
import { end } from '../outcome-writes.ts'

/**
 * Ends the alerts of properties that are monitored no longer: nobody judges them any more. Nobody is told, as it was the
 * owner's own doing. Those of a property that a smaller plan pauses last: when it goes on, they are not opened and told anew.
 */
export const endUnwatched = (db: Db, now: Date): Promise<unknown> =>
  db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('alerts')
      .innerJoin('properties', 'properties.id', 'alerts.propertyId')
      .where('alerts.recoveredAt', 'is', null)
      .where('properties.monitored', '=', false)
      .where('properties.pausedAt', 'is', null)
      .select('alerts.id')
      .orderBy('alerts.id')
      .forUpdate('alerts')
      .skipLocked()
      .execute()
    return end(
      trx,
      rows.map(({ id }) => ({ alertId: id, reason: 'not_monitored' })),
      now,
    )
  })
