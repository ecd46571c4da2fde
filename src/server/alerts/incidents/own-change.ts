import { sql } from 'kysely'
import type { IsoDate } from '../../../contract/common.ts'
import { type Level, levelSentence } from '../../../core/alerting/ending.ts'
import { signOf } from '../../../core/alerting/figures.ts'
import type { RecoveryReason } from '../../../core/alerting/lifecycle.ts'
import type { StoredFigures } from '../../database/alert-tables.ts'
import type { Db } from '../../database/open.ts'
import { end, settledAt } from '../outcome-writes.ts'

// An alert lasts as long as any of its parts. An event records that its own change is over: if that returns, it is another change.

const prefix = 'own_'

/** Why an alert's own change is over; null while it isn't. */
export const ownEnd = sql<RecoveryReason | null>`(SELECT substr(reason, ${sql.lit(prefix.length + 1)}) FROM alert_events
  WHERE alert_id = alerts.id AND reason LIKE 'own\_%' ORDER BY id DESC LIMIT 1)`

type OwnEnd = { alertId: number; reason: RecoveryReason; level?: number | null | Level }

/** A level that it settled at is kept with its figures, to be reported when it ends. */
export async function noteOwnEnds(trx: Db, over: readonly OwnEnd[], now: Date): Promise<void> {
  if (over.length === 0) return
  const ends = new Map(over.map((each) => [each.alertId, each]))
  const rows = await trx
    .selectFrom('alerts')
    .where('id', 'in', [...ends.keys()])
    .where('recoveredAt', 'is', null)
    .select(['id', 'state', 'type', 'opening', 'figures'])
    .orderBy('id')
    .execute()
  for (const { id, state, type, opening, figures } of rows) {
    const { reason = 'back', level } = ends.get(id) ?? {}
    const settled = settledAt({ type, opening, figures }, reason, level)
    if (settled)
      await trx
        .updateTable('alerts')
        .set({ figures: JSON.stringify({ ...figures, settled }) })
        .where('id', '=', id)
        .execute()
    const detail = settled ? levelSentence(type, settled) : null
    await trx
      .insertInto('alertEvents')
      .values({ alertId: id, fromState: state, toState: state, reason: prefix + reason, detail, at: now })
      .execute()
  }
}

/**
 * Which of the hourly alerts that are back or settled stay open for their parts. From here on they are evaluated by days, as any other
 * alert whose own change is over.
 */
export async function lastForParts(
  trx: Db,
  over: readonly { alertId: number; reason: string; level?: Level }[],
  through: IsoDate | null,
  now: Date,
): Promise<ReadonlySet<number>> {
  const reasons = new Map(
    over.flatMap(({ alertId, reason, level }): [number, OwnEnd][] =>
      reason === 'back' || reason === 'new_level' ? [[alertId, { alertId, reason, ...(level && { level }) }]] : [],
    ),
  )
  if (reasons.size === 0) return new Set()
  const rows = await trx
    .updateTable('alerts')
    .set({ basis: 'days', judgedThrough: through, judgedAt: now })
    .where('id', 'in', [...reasons.keys()])
    .where('recoveredAt', 'is', null)
    .where(sql<boolean>`EXISTS (SELECT FROM alerts AS part WHERE part.part_of = alerts.id AND part.recovered_at IS NULL)`)
    .returning('id')
    .execute()
  const lasting = rows.flatMap(({ id }) => reasons.get(id) ?? [])
  await noteOwnEnds(trx, lasting, now)
  return new Set(lasting.map(({ alertId }) => alertId))
}

/**
 * Makes way for what hours show about a whole site: ends the rule's alert if only its parts still last, or if it is about a rise and the
 * hours show a drop, since a rule has one alert about a site. Hours can't tell that a drop is over.
 * @returns the alert whose end needs a message, and its parts, which belong to the next one if they moved in the same direction
 */
export async function makeWay(
  trx: Db,
  conditionId: number,
  { figures, detail }: { figures: StoredFigures; detail: string },
  now: Date,
): Promise<{ ended: number[]; parts: number[] }> {
  const row = await trx
    .selectFrom('alerts')
    .where('conditionId', '=', conditionId)
    .where('entityKind', '=', 'site')
    .where('recoveredAt', 'is', null)
    .select(['id', 'opening', ownEnd.as('reason')])
    .executeTakeFirst()
  const isTurn = row !== undefined && signOf(row.opening) > 0 && signOf(figures) < 0
  if (!row || (row.reason === null && !isTurn)) return { ended: [], parts: [] }
  const ended = await end(
    trx,
    [row.reason === null ? { alertId: row.id, reason: 'back', detail } : { alertId: row.id, reason: row.reason }],
    now,
  )
  const parts = await trx
    .updateTable('alerts')
    .set({ partOf: null })
    .where('partOf', '=', row.id)
    .where('recoveredAt', 'is', null)
    .returning('id')
    .execute()
  return { ended, parts: isTurn ? [] : parts.map(({ id }) => id) }
}
