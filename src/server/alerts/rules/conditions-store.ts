import { type Selectable, sql } from 'kysely'
import type { Condition } from '../../../core/alerting/defaults.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Db } from '../../database/open.ts'
import type { AlertConditionsTable } from '../../database/alert-tables.ts'
import { fromStored, toStored } from '../names.ts'

/** A rule as it is stored; what it holds may be broken, so it is read with care (`conditionOf`). */
export type ConditionRow = Selectable<AlertConditionsTable>

/** Rules of one property at most: each is judged with every new day. */
export const mostConditions = 50

export function createConditionsStore(db: Db) {
  const ofPerson = (trx: Db, userId: string) =>
    trx
      .selectFrom('alertConditions')
      .innerJoin('properties', 'properties.id', 'alertConditions.propertyId')
      .where('properties.userId', '=', userId)
      .where('properties.detachedAt', 'is', null)
      .selectAll('alertConditions')
      .select('properties.name as property')

  const owned = (trx: Db, userId: string, id: string) => ofPerson(trx, userId).where('alertConditions.id', '=', Number(id))

  /** One of this person's with its row locked, after it was noted that it changes; undefined when it is not theirs. */
  async function toBeChanged(trx: Db, userId: string, id: string, how: { judgeAnew: boolean }) {
    const row = await owned(trx, userId, id).executeTakeFirst()
    if (!row) return undefined
    await noteChange(trx, row.propertyId, how)
    return owned(trx, userId, id).forUpdate('alertConditions').executeTakeFirst()
  }

  async function create(trx: Db, propertyId: number, condition: Condition, now: Date): Promise<ConditionRow> {
    return trx
      .insertInto('alertConditions')
      .values({ propertyId, ...columnsOf(condition), createdAt: now, changedAt: now })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  return {
    list: (propertyId: number): Promise<ConditionRow[]> =>
      db.selectFrom('alertConditions').where('propertyId', '=', propertyId).selectAll().orderBy('id').execute(),

    /** Those of all properties of a person, by property. */
    all: (userId: string): Promise<(ConditionRow & { property: string })[]> =>
      ofPerson(db, userId).orderBy('properties.name').orderBy('alertConditions.id').execute(),

    /** One of this person's; null when it is not theirs. */
    async load(userId: string, id: string): Promise<(ConditionRow & { property: string }) | null> {
      return (await owned(db, userId, id).executeTakeFirst()) ?? null
    },

    /** Gives properties their first rules, each property once in its life. */
    async ensureDefaults(propertyIds: readonly number[], defaults: readonly Condition[], now: Date, within: Db = db): Promise<void> {
      if (propertyIds.length === 0) return
      await inTransaction(within, async (trx) => {
        const added = await trx
          .insertInto('alertWatches')
          .columns(['propertyId'])
          .expression(
            trx
              .selectFrom('properties')
              .where(sql<boolean>`id = any(${[...propertyIds]})`)
              .where('monitored', '=', true)
              .select('id'),
          )
          .onConflict((oc) => oc.column('propertyId').doNothing())
          .returning('propertyId')
          .execute()
        const values = added.flatMap(({ propertyId }) =>
          defaults.map((condition) => ({ propertyId, ...columnsOf(condition), createdAt: now, changedAt: now })),
        )
        if (values.length > 0) await trx.insertInto('alertConditions').values(values).execute()
      })
    },

    /**
     * Answers null when the property has as many rules as it may. The property's row is locked, so that two requests cannot
     * both take the last place; not against those that refer to it, who may hold what is waited for here.
     */
    async create(propertyId: number, condition: Condition, now: Date, within: Db = db): Promise<ConditionRow | null> {
      return inTransaction(within, async (trx) => {
        await trx.selectFrom('properties').where('id', '=', propertyId).select('id').forNoKeyUpdate().execute()
        const { count } = await trx
          .selectFrom('alertConditions')
          .where('propertyId', '=', propertyId)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        if (count >= mostConditions) return null
        await noteChange(trx, propertyId, { judgeAnew: true })
        return create(trx, propertyId, condition, now)
      })
    },

    /** Changes one of this person's as `change` says, with its row locked; null when it is not theirs. */
    async change(userId: string, id: string, change: (row: ConditionRow) => Condition, now: Date, within: Db = db) {
      return inTransaction(within, async (trx) => {
        const row = await toBeChanged(trx, userId, id, { judgeAnew: true })
        if (!row) return null
        const changed = await trx
          .updateTable('alertConditions')
          .set({ ...columnsOf(change(row)), problem: null, problemSince: null, retryAt: null, leftOut: 0, changedAt: now })
          .where('id', '=', row.id)
          .returningAll()
          .executeTakeFirstOrThrow()
        if (!changed.isEnabled) await endAlertsOf(trx, row.id, 'rule_off', userId, now)
        return { ...changed, property: row.property }
      })
    },

    /** Deletes one of this person's; its alerts end and stay readable. */
    async remove(userId: string, id: string, now: Date, within: Db = db): Promise<boolean> {
      return inTransaction(within, async (trx) => {
        const row = await toBeChanged(trx, userId, id, { judgeAnew: false })
        if (!row) return false
        await endAlertsOf(trx, row.id, 'rule_deleted', userId, now)
        await trx.deleteFrom('alertConditions').where('id', '=', row.id).execute()
        return true
      })
    },
  }
}
export type ConditionsStore = ReturnType<typeof createConditionsStore>

/**
 * Notes that rules of a property change: what is being found by those before is not stored then, and nothing is until this
 * transaction ends. Whoever stores findings takes the same row first, so that none waits for another in a circle.
 */
const noteChange = (trx: Db, propertyId: number, { judgeAnew }: { judgeAnew: boolean }) =>
  trx
    .updateTable('alertWatches')
    .set({ rulesChanged: sql<number>`rules_changed + 1`, ...(judgeAnew && { judgedVersion: null }) })
    .where('propertyId', '=', propertyId)
    .execute()

/** Nobody judges these alerts any more: left open, they would last for ever. */
async function endAlertsOf(trx: Db, conditionId: number, reason: string, byUser: string, now: Date): Promise<void> {
  const open = await trx
    .selectFrom('alerts')
    .where('conditionId', '=', conditionId)
    .where('recoveredAt', 'is', null)
    .select(['id', 'state'])
    .forUpdate()
    .execute()
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  await trx.updateTable('alerts').set({ state: 'recovered', snoozedUntil: null, recoveredAt: now }).where('id', 'in', ids).execute()
  const events = open.map(({ id, state }) => ({ alertId: id, fromState: state, toState: 'recovered' as const, reason, byUser, at: now }))
  await trx.insertInto('alertEvents').values(events).execute()
}

const columnsOf = ({ targets, ...condition }: Condition) => ({
  type: condition.type,
  kind: condition.kind,
  title: condition.title,
  isEnabled: condition.isEnabled,
  direction: condition.direction,
  onlyUnusual: condition.onlyUnusual,
  monitor: condition.monitor,
  targets: JSON.stringify(targets.map(toStored)),
  threshold: condition.threshold,
  thresholdUnit: condition.thresholdUnit,
  comparison: condition.comparison,
  minimumImpressions: condition.minimumImpressions,
  sensitivity: condition.sensitivity,
})

export const targetsOf = (row: Pick<ConditionRow, 'targets'>): string[] => row.targets.map(fromStored)
