import type { Db } from '../../database/open.ts'
import { isOpen } from '../../database/open-accounts.ts'
import { end } from '../outcome-writes.ts'

/**
 * Ends the alerts of properties that are no longer monitored, since nothing evaluates them anymore. No message is sent: it was the
 * owner's own choice. Alerts of a property paused by a smaller plan stay open, so that they aren't sent again when it resumes.
 */
export async function endUnmonitored(db: Db, now: Date): Promise<void> {
  while ((await endSome(db, now)) === endedAtOnce);
}

/** An account can have a hundred thousand open alerts; this many are locked and ended together. */
const endedAtOnce = 5_000

const endSome = (db: Db, now: Date): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('alerts')
      .innerJoin('properties', 'properties.id', 'alerts.propertyId')
      .where('alerts.recoveredAt', 'is', null)
      .where('properties.monitored', '=', false)
      .where('properties.pausedAt', 'is', null)
      .where(isOpen('properties.userId'))
      .select('alerts.id')
      .orderBy('alerts.id')
      .forUpdate('alerts')
      .skipLocked()
      .limit(endedAtOnce)
      .execute()
    await end(
      trx,
      rows.map(({ id }) => ({ alertId: id, reason: 'not_monitored' })),
      now,
    )
    return rows.length
  })
