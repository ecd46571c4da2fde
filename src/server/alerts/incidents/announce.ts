import { sql } from 'kysely'
import type { AnnouncedAlert, EventBus, Events } from '../../common/events.ts'
import type { Db } from '../../database/open.ts'

/** The alerts of a property that changed, by what happened to them. */
type Changed = Pick<Events['alertsChanged'], 'userId' | 'propertyId'> &
  Partial<Record<'opened' | 'recovered' | 'woken' | 'worsened', readonly number[]>>

/** Announces what changed, in the transaction that changed it; alerts go by the weight they have in it. No change is no news. */
export async function announce(
  events: Pick<EventBus, 'emit'>,
  trx: Db,
  { userId, propertyId, opened = [], recovered = [], woken = [], worsened = [] }: Changed,
): Promise<void> {
  const ids = [...opened, ...recovered, ...woken, ...worsened]
  if (ids.length === 0) return
  const announced = new Map((await weigh(trx, ids)).map((each) => [each.alertId, each]))
  const those = (some: readonly number[]) => some.flatMap((id) => announced.get(String(id)) ?? [])
  await events.emit('alertsChanged', {
    userId,
    propertyId,
    opened: those(opened),
    recovered: those(recovered),
    woken: those(woken),
    worsened: those(worsened),
    transaction: trx,
  })
}

/** Whether an alert is critical and its figures don't rule out waking somebody; its severity may be that of its most severe part. */
const isToWakeFor = (alias: string) => {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`(${of('severity')} = 'critical' AND ${of('figures')}->>'interrupts' IS DISTINCT FROM 'false')`
}

/** What decides who hears of these alerts, without their details: an evaluation may open or end thousands. */
const weigh = (trx: Db, ids: readonly number[]): Promise<AnnouncedAlert[]> =>
  trx
    .selectFrom('alerts')
    .where(sql<boolean>`id = any(${[...ids]})`)
    .select([
      sql<string>`alerts.id::text`.as('alertId'),
      'alerts.severity',
      sql<boolean>`alerts.entity_kind = 'connection'`.as('isConnection'),
      sql<boolean>`alerts.severity = 'critical' AND (${isToWakeFor('alerts')}
        OR EXISTS (SELECT FROM alerts AS part WHERE part.part_of = alerts.id AND ${isToWakeFor('part')}))`.as('interrupts'),
    ])
    .execute()

/** Open alerts of a property that may become critical. The caller holds its row in `alert_watches`, so that nobody else finds the same. */
export async function mildOnes(trx: Db, propertyId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('alerts')
    .where('propertyId', '=', propertyId)
    .where('recoveredAt', 'is', null)
    .where('partOf', 'is', null)
    .where('severity', '<>', 'critical')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Those of them that are critical by now. */
export async function worsenedOf(trx: Db, mild: readonly number[]): Promise<number[]> {
  if (mild.length === 0) return []
  const rows = await trx
    .selectFrom('alerts')
    .where(sql<boolean>`id = any(${[...mild]})`)
    .where('recoveredAt', 'is', null)
    .where('partOf', 'is', null)
    .where('severity', '=', 'critical')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
