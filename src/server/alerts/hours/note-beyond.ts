import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

/** That hours show something much larger than an alert that is open. */
export type Beyond = { alertId: number; change: number; soFar: string; detail: string }

/**
 * An alert becomes critical by what hours show, which its timeline says once a day. Its figures stay those of its days; but if it was
 * critical only because of something small, this is worth waking somebody for.
 */
export async function noteBeyond(trx: Db, { alertId, detail }: Beyond, now: Date): Promise<void> {
  const row = await trx
    .updateTable('alerts')
    .set({ severity: 'critical', figures: sql<string>`figures - 'interrupts'` })
    .where('id', '=', alertId)
    .where('recoveredAt', 'is', null)
    .returning([
      'state',
      sql<boolean>`EXISTS (SELECT FROM alert_events WHERE alert_id = alerts.id AND reason = 'hours_worse' AND at > ${now}::timestamptz - interval '1 day')`.as(
        'isNoted',
      ),
    ])
    .executeTakeFirst()
  if (!row || row.isNoted) return
  await trx
    .insertInto('alertEvents')
    .values({ alertId, fromState: row.state, toState: row.state, reason: 'hours_worse', detail, at: now })
    .execute()
}
