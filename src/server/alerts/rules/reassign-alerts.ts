import { type Selectable, sql } from 'kysely'
import type { AlertConditionsTable, StoredEnd } from '../../database/alert-tables.ts'
import type { Db } from '../../database/open.ts'

type By = { userId: string; now: Date }
type Row = Selectable<AlertConditionsTable>

/**
 * What becomes of a rule's open alerts when it is turned off or deleted: those that another rule finds too go on as that rule's, and the
 * others end, since nothing evaluates them anymore. Their parts become separate.
 */
export async function endAlertsOf(trx: Db, conditionId: number, reason: 'rule_off' | 'rule_deleted', { userId, now }: By): Promise<void> {
  await handOver(trx, conditionId, [], { userId, now })
  const open = await trx
    .selectFrom('alerts')
    .where('conditionId', '=', conditionId)
    .where('recoveredAt', 'is', null)
    .select(['id', 'state'])
    .forUpdate()
    .execute()
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  const ended = JSON.stringify({ reason } satisfies StoredEnd)
  await trx.updateTable('alerts').set({ state: 'recovered', snoozedUntil: null, recoveredAt: now, ended }).where('id', 'in', ids).execute()
  await trx.updateTable('alerts').set({ partOf: null }).where('partOf', 'in', ids).where('recoveredAt', 'is', null).execute()
  const events = open.map(({ id, state }) => ({
    alertId: id,
    fromState: state,
    toState: 'recovered' as const,
    reason,
    byUser: userId,
    at: now,
  }))
  await trx.insertInto('alertEvents').values(events).execute()
}

/** The same for alerts that a changed rule is no longer about; the next evaluation ends those that no other rule finds. */
export async function handOverFrom(trx: Db, before: Row, after: Row, by: By): Promise<void> {
  const isElsewhere = (['type', 'monitor', 'searchType', 'segmentId'] as const).some((field) => before[field] !== after[field])
  if (isElsewhere) await handOver(trx, after.id, [], by)
  else if (after.monitor === 'pages' || after.monitor === 'queries') await handOver(trx, after.id, after.targets, by)
}

/**
 * Gives a rule's open alerts to other active rules that find the same, preferably smart ones. They keep their state, and nothing is sent.
 * Each gets its new rule's segment, which may differ: rules about whole pages or queries find the same in any segment.
 * An alert about hours stays: only its own rule knows what the day would have to be.
 * @param kept entities that the rule remains about, as stored
 */
async function handOver(trx: Db, conditionId: number, kept: readonly string[], { userId, now }: By): Promise<void> {
  const { rows } = await sql<{ id: number; state: 'firing' | 'acknowledged' | 'snoozed' }>`
    UPDATE alerts SET condition_id = heirs.heir, kind = heirs.kind, comparison = heirs.comparison, segment = heirs.segment
    FROM (SELECT DISTINCT ON (open.id) open.id, rules.id AS heir, rules.kind, rules.comparison,
        CASE WHEN segments.id IS NOT NULL
          THEN jsonb_build_object('id', segments.id::text, 'name', segments.name, 'content', segments.content) END AS segment
      FROM alerts AS open JOIN alert_finders ON alert_finders.alert_id = open.id
        JOIN alert_conditions AS rules ON rules.id = alert_finders.condition_id
        LEFT JOIN saved_explorations AS segments ON segments.id = rules.segment_id
      WHERE open.condition_id = ${conditionId} AND open.recovered_at IS NULL AND open.basis = 'days'
        AND open.entity_name <> ALL (${[...kept]}::text[])
        AND rules.id <> ${conditionId} AND rules.is_enabled AND rules.type = open.type AND rules.search_type = open.search_type
        AND NOT EXISTS (SELECT FROM alerts AS other WHERE other.condition_id = rules.id AND (other.hours->>'day' = open.hours->>'day'
          OR (other.recovered_at IS NULL AND other.entity_kind = open.entity_kind AND other.entity_name = open.entity_name)))
      ORDER BY open.id, rules.kind <> 'unusual', rules.id) AS heirs
    WHERE alerts.id = heirs.id
    RETURNING alerts.id, alerts.state`.execute(trx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  // The earlier rule found them too: their ratings continue to count for it.
  await sql`INSERT INTO alert_finders (alert_id, condition_id) SELECT unnest(${ids}::bigint[]), ${conditionId} ON CONFLICT DO NOTHING`.execute(
    trx,
  )
  const events = rows.map(({ id, state }) => ({
    alertId: id,
    fromState: state,
    toState: state,
    reason: 'handed_over',
    byUser: userId,
    at: now,
  }))
  await trx.insertInto('alertEvents').values(events).execute()
}
