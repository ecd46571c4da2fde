import { sql } from 'kysely'
import { isMuchLarger } from '../../../core/delivery/routing.ts'
import type { AnnouncedAlert, EventBus, Events } from '../../common/events.ts'
import type { Db } from '../../database/open.ts'

/** The alerts of a property that changed, by what happened to them. */
type Changed = Pick<Events['alertsChanged'], 'userId' | 'propertyId'> &
  Partial<Record<'opened' | 'recovered' | 'woken', readonly number[]>> & { worsened?: readonly Worsened[] }

/** An alert that got worse; `hours` if only those of a day show how much so far. */
export type Worsened = { id: number; isMoreUrgent: boolean; hours?: { change: number; soFar: string } }

/**
 * Announces what changed, in the transaction that changed it, with each alert's severity as of that transaction. Announces nothing if
 * nothing changed.
 */
export async function announce(
  events: Pick<EventBus, 'emit'>,
  trx: Db,
  { userId, propertyId, opened = [], recovered = [], woken = [], worsened = [] }: Changed,
): Promise<void> {
  const ids = [...opened, ...recovered, ...woken, ...worsened.map(({ id }) => id)]
  if (ids.length === 0) return
  const announced = new Map((await weigh(trx, ids)).map((each) => [each.alertId, each]))
  const those = (some: readonly number[]) => some.flatMap((id) => announced.get(String(id)) ?? [])
  await events.emit('alertsChanged', {
    userId,
    propertyId,
    opened: those(opened),
    recovered: those(recovered),
    woken: those(woken),
    worsened: worsened.flatMap(({ id, isMoreUrgent, hours }) => those([id]).map((each) => ({ ...each, isMoreUrgent, ...hours }))),
    transaction: trx,
  })
}

/** Whether an alert is critical and its figures don't rule out waking somebody; its severity may be that of its most severe part. */
const isToWakeFor = (alias: string) => {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`(${of('severity')} = 'critical' AND ${of('figures')}->>'interrupts' IS DISTINCT FROM 'false')`
}

const interrupting = sql<boolean>`alerts.severity = 'critical' AND (${isToWakeFor('alerts')}
  OR EXISTS (SELECT FROM alerts AS part WHERE part.part_of = alerts.id AND ${isToWakeFor('part')}))`

/**
 * The change that an alert was opened with, once its window is full of it: a page that dies is 28% down when two days of its week are, and
 * reaches 100% without anything new happening. Without a known first day, the last one counts as the first.
 */
const wholeStep = (() => {
  const day = (path: string) => sql`(alerts.opening #>> ${sql.lit(path)}::text[])::date`
  const [start, end] = [day('{windows,current,start}'), day('{windows,current,end}')]
  const first = sql`coalesce(${day('{firstDay}')}, ${end})`
  return sql<number | null>`(alerts.opening->>'change')::float8 * (${end} - ${start} + 1)
    / greatest(1, ${end} - greatest(${first}, ${start}) + 1)`
})()

/** What decides who is notified of these alerts, without their details: an evaluation may open or end thousands. */
async function weigh(trx: Db, ids: readonly number[]): Promise<AnnouncedAlert[]> {
  const rows = await trx
    .selectFrom('alerts')
    .where(sql<boolean>`id = any(${[...ids]})`)
    .select([
      sql<string>`alerts.id::text`.as('alertId'),
      'alerts.severity',
      sql<number | null>`(alerts.figures->>'change')::float8`.as('change'),
      sql<number | null>`(alerts.opening->>'change')::float8`.as('openedWith'),
      wholeStep.as('wholeStep'),
      sql<boolean>`alerts.entity_kind = 'connection'`.as('isConnection'),
      interrupting.as('interrupts'),
      sql<boolean>`alerts.ended->>'reason' IS NOT DISTINCT FROM 'day_withdrew'`.as('isWithdrawn'),
    ])
    .execute()
  return rows.map(({ isWithdrawn, ...row }) => ({ ...row, ...(isWithdrawn && { isWithdrawn }) }))
}

/** The urgency of an alert to interrupt somebody for. */
export const mostUrgent = 2
/** By open alert of a property: 0, 1 if it is critical, and `mostUrgent` if it is also one to interrupt somebody for; and its change. */
type Urgencies = ReadonlyMap<number, { urgency: number; change: number | null; wholeStep: number | null }>

/** The caller holds the property's row in `alert_watches`, so that nobody else changes its alerts meanwhile. */
export async function urgenciesOf(trx: Db, propertyId: number): Promise<Urgencies> {
  const rows = await trx
    .selectFrom('alerts')
    .where('propertyId', '=', propertyId)
    .where('recoveredAt', 'is', null)
    .where('partOf', 'is', null)
    .select(['id', sql<number>`(severity = 'critical')::int + (${interrupting})::int`.as('urgency')])
    .select([sql<number | null>`(figures->>'change')::float8`.as('change'), wholeStep.as('wholeStep')])
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/**
 * Which of them are more urgent now, or critical and larger than before and much larger than the step they were opened with. The channels
 * know how much of that each reader has been told.
 */
export async function worsenedSince(trx: Db, propertyId: number, before: Urgencies): Promise<Worsened[]> {
  const now = await urgenciesOf(trx, propertyId)
  return [...now].flatMap(([id, { urgency, change, wholeStep: step }]) => {
    const earlier = before.get(id)
    if (!earlier) return []
    const isMoreUrgent = urgency > earlier.urgency
    const hasGrown = urgency > 0 && Math.abs(change ?? 0) > Math.abs(earlier.change ?? 0) && isMuchLarger(change, step)
    return isMoreUrgent || hasGrown ? [{ id, isMoreUrgent }] : []
  })
}
