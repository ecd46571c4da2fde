import { sql } from 'kysely'
import type { RecoveryReason } from '../../../core/alerting/lifecycle.ts'
import type { Db } from '../../database/open.ts'
import { end } from '../outcome-writes.ts'

// An alert lasts as long as one of its parts. That its own change is over is an event of it: if that change returns, it is another one.

const prefix = 'own_'

/** Why an alert's own change is over; null while it isn't. */
export const ownEnd = sql<RecoveryReason | null>`(SELECT substr(reason, ${sql.lit(prefix.length + 1)}) FROM alert_events
  WHERE alert_id = alerts.id AND reason LIKE 'own\_%' ORDER BY id DESC LIMIT 1)`

export async function noteOwnEnds(trx: Db, over: readonly { alertId: number; reason: RecoveryReason }[], now: Date): Promise<void> {
  for (const { alertId, reason } of over)
    await sql`INSERT INTO alert_events (alert_id, from_state, to_state, reason, at)
      SELECT id, state, state, ${prefix + reason}, ${now} FROM alerts WHERE id = ${alertId} AND recovered_at IS NULL`.execute(trx)
}

/** Ends a rule's alert about the whole site if only its parts still last; returns its id, for its parts to be moved to the next one. */
export async function endIfOnlyParts(trx: Db, conditionId: number, now: Date): Promise<number | null> {
  const row = await trx
    .selectFrom('alerts')
    .where('conditionId', '=', conditionId)
    .where('entityKind', '=', 'site')
    .where('recoveredAt', 'is', null)
    .select(['id', ownEnd.as('reason')])
    .executeTakeFirst()
  if (!row || row.reason === null) return null
  await end(trx, [{ alertId: row.id, reason: row.reason }], now)
  return row.id
}
