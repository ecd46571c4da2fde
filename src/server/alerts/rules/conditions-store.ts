import { type Selectable, sql } from 'kysely'
import { type Condition, defaultConditions } from '../../../core/alerting/defaults.ts'
import { Refusal } from '../../common/errors.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Db } from '../../database/open.ts'
import type { AlertConditionsTable } from '../../database/alert-tables.ts'
import { lockNumber } from '../../platform/postgres.ts'
import { fromStored, toStored } from '../names.ts'
import { endAlertsOf, handOverFrom } from './reassign-alerts.ts'
import { holdSegment } from './scopes.ts'

/** A rule as stored. Its content may be invalid, so it is parsed with care (`conditionOf`). */
export type ConditionRow = Selectable<AlertConditionsTable> & { segmentName: string | null }

/** The name of a rule's segment. */
export const segmentName = sql<string | null>`(SELECT saved_explorations.name FROM saved_explorations
  JOIN properties AS owned ON owned.user_id = saved_explorations.user_id
  WHERE saved_explorations.id = alert_conditions.segment_id AND owned.id = alert_conditions.property_id)`.as('segmentName')

/** Maximum number of rules of one property: each is evaluated with every new day. */
export const mostConditions = 50
/** Maximum number of rules of a person, besides the first ones of each monitored property: a list of all rules contains all of them. */
const mostAdded = 5_000
/**
 * Maximum number of rules of a person that are limited to a segment: each reads the days with filters of its own, for as long as 20
 * seconds.
 */
const mostWithSegments = 50
/** Maximum total length of the pages and queries that all rules of a person name: a list of all rules contains all of them. */
const mostTargetCharacters = 2_000_000
/** Maximum total length of the names of the properties of all rules of a person: that list names them again for each rule. */
const mostNameCharacters = 4_000_000

export function createConditionsStore(db: Db) {
  const ofPerson = (trx: Db, userId: string) =>
    trx
      .selectFrom('alertConditions')
      .innerJoin('properties', 'properties.id', 'alertConditions.propertyId')
      .where('properties.userId', '=', userId)
      .where('properties.detachedAt', 'is', null)
      .selectAll('alertConditions')
      .select(['properties.name as property', segmentName])

  const owned = (trx: Db, userId: string, id: string) => ofPerson(trx, userId).where('alertConditions.id', '=', Number(id))

  /** A rule of this person with its row locked, after noting the coming change; undefined if it isn't theirs. */
  async function toBeChanged(trx: Db, userId: string, id: string) {
    const row = await owned(trx, userId, id).executeTakeFirst()
    if (!row) return undefined
    await noteChange(trx, row.propertyId)
    return owned(trx, userId, id).forUpdate('alertConditions').executeTakeFirst()
  }

  async function create(trx: Db, propertyId: number, condition: Condition, now: Date): Promise<ConditionRow> {
    return trx
      .insertInto('alertConditions')
      .values({ propertyId, ...columnsOf(condition), createdAt: now, changedAt: now })
      .returningAll()
      .returning(segmentName)
      .executeTakeFirstOrThrow()
  }

  return {
    list: (propertyId: number): Promise<ConditionRow[]> =>
      db.selectFrom('alertConditions').where('propertyId', '=', propertyId).selectAll().select(segmentName).orderBy('id').execute(),

    /** The rules of all properties of a person, by property. */
    all: (userId: string): Promise<(ConditionRow & { property: string })[]> =>
      ofPerson(db, userId).orderBy('properties.name').orderBy('alertConditions.id').execute(),

    /** A rule of this person; null if it isn't theirs. */
    async load(userId: string, id: string): Promise<(ConditionRow & { property: string }) | null> {
      return (await owned(db, userId, id).executeTakeFirst()) ?? null
    },

    /** Gives properties their first rules, once per property. */
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
     * Returns null if the property already has as many rules as it may. The property's row is locked, so that two requests can't both take
     * the last place, but not against rows that refer to it: their writers may hold what this one waits for.
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
        await noteChange(trx, propertyId)
        await holdSegment(trx, propertyId, condition)
        await refuseTooManyRules(trx, propertyId)
        const created = await create(trx, propertyId, condition, now)
        await refuseTooMuch(trx, created)
        return created
      })
    },

    /** Changes a rule of this person by `change`, with its row locked; null if it isn't theirs. */
    async change(userId: string, id: string, change: (row: ConditionRow) => Condition, now: Date, within: Db = db) {
      return inTransaction(within, async (trx) => {
        const row = await toBeChanged(trx, userId, id)
        if (!row) return null
        const condition = change(row)
        await holdSegment(trx, row.propertyId, condition)
        const columns = columnsOf(condition)
        const changedAt = asksTheSame(row, columns) ? row.changedAt : now
        const changed = await trx
          .updateTable('alertConditions')
          .set({ ...columns, problem: null, problemSince: null, retryAt: null, leftOut: 0, changedAt })
          .where('id', '=', row.id)
          .returningAll()
          .returning(segmentName)
          .executeTakeFirstOrThrow()
        await refuseTooMuch(trx, changed)
        if (changed.isEnabled) await handOverFrom(trx, row, changed, { userId, now })
        else await endAlertsOf(trx, row.id, 'rule_off', { userId, now })
        return { ...changed, property: row.property }
      })
    },

    /** Deletes a rule of this person; its alerts end and stay readable, except those that another rule finds too. */
    async remove(userId: string, id: string, now: Date, within: Db = db): Promise<boolean> {
      return inTransaction(within, async (trx) => {
        const row = await toBeChanged(trx, userId, id)
        if (!row) return false
        await endAlertsOf(trx, row.id, 'rule_deleted', { userId, now })
        await trx.deleteFrom('alertConditions').where('id', '=', row.id).execute()
        return true
      })
    },
  }
}
export type ConditionsStore = ReturnType<typeof createConditionsStore>

/** One rule of an account after another, so that two can't both take the last place. */
const inTurn = (trx: Db, propertyId: number) =>
  sql`SELECT pg_advisory_xact_lock(${sql.raw(lockNumber("'rules-of:' || user_id"))}) FROM properties WHERE id = ${propertyId}`.execute(trx)

/** @throws Refusal 409 if the owner of a property may have no further rule */
async function refuseTooManyRules(trx: Db, propertyId: number): Promise<void> {
  await inTurn(trx, propertyId)
  const { rules, properties } = await trx
    .selectFrom('properties as asked')
    .innerJoin('properties', 'properties.userId', 'asked.userId')
    .where('asked.id', '=', propertyId)
    .leftJoin('alertConditions', 'alertConditions.propertyId', 'properties.id')
    .leftJoin('alertWatches', 'alertWatches.propertyId', 'properties.id')
    .select((eb) => [
      eb.fn.count<number>('alertConditions.id').as('rules'),
      eb.fn.count<number>('alertWatches.propertyId').distinct().as('properties'),
    ])
    .executeTakeFirstOrThrow()
  if (rules >= mostAdded + properties * defaultConditions.length)
    throw new Refusal(409, `You can add up to ${mostAdded.toLocaleString('en-US')} rules. Delete some that you no longer need.`)
  const { characters } = await ofOwner(trx, propertyId)
    .select(sql<number>`coalesce(sum(length(properties.name)), 0)::integer`.as('characters'))
    .executeTakeFirstOrThrow()
  if (characters >= mostNameCharacters)
    throw new Refusal(409, "Your properties' names are too long for so many rules. Delete some rules that you no longer need.")
}

/** @throws Refusal 400, 409 if all rules of a rule's owner name too much, or too many are limited to segments */
async function refuseTooMuch(trx: Db, row: ConditionRow): Promise<void> {
  if (targetsOf(row).length === 0 && row.segmentId === null) return
  await inTurn(trx, row.propertyId)
  await refuseTooManyTargets(trx, row)
  await refuseTooManySegments(trx, row)
}

/** @throws Refusal 400 if all rules of a rule's owner together name too many characters of pages and queries */
async function refuseTooManyTargets(trx: Db, row: ConditionRow): Promise<void> {
  if (targetsOf(row).length === 0) return
  const { characters } = await ofOwner(trx, row.propertyId)
    .select(sql<number>`sum(length(alert_conditions.targets::text))::integer`.as('characters'))
    .executeTakeFirstOrThrow()
  if (characters <= mostTargetCharacters) return
  const most = mostTargetCharacters.toLocaleString('en-US')
  throw new Refusal(400, `The pages and keywords of all your rules together can have up to ${most} characters.`, 'targets')
}

/** @throws Refusal 409 if too many rules of a rule's owner are limited to segments */
async function refuseTooManySegments(trx: Db, row: ConditionRow): Promise<void> {
  if (row.segmentId === null) return
  const { count } = await ofOwner(trx, row.propertyId)
    .where('alertConditions.segmentId', 'is not', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count > mostWithSegments) throw new Refusal(409, `Up to ${mostWithSegments} of your rules can be limited to a segment.`, 'segment')
}

/** The rules of all properties of a property's owner. */
const ofOwner = (trx: Db, propertyId: number) =>
  trx
    .selectFrom('properties as asked')
    .innerJoin('properties', 'properties.userId', 'asked.userId')
    .innerJoin('alertConditions', 'alertConditions.propertyId', 'properties.id')
    .where('asked.id', '=', propertyId)

/**
 * Notes that a property's rules change: findings of the earlier rules are then not stored, and none are until this transaction ends.
 * Whoever stores findings locks the same row first, which rules out deadlocks. The rules are evaluated again at once: what a deleted one
 * kept from being reported is announced as well.
 */
const noteChange = (trx: Db, propertyId: number) =>
  trx
    .updateTable('alertWatches')
    .set({ rulesChanged: sql<number>`rules_changed + 1`, judgedVersion: null })
    .where('propertyId', '=', propertyId)
    .execute()

const columnsOf = ({ targets, ...condition }: Condition) => ({
  type: condition.type,
  kind: condition.kind,
  title: condition.title,
  isEnabled: condition.isEnabled,
  direction: condition.direction,
  onlyUnusual: condition.onlyUnusual,
  monitor: condition.monitor,
  searchType: condition.searchType,
  targets: JSON.stringify(targets.map(toStored)),
  segmentId: condition.segment === null ? null : Number(condition.segment),
  threshold: condition.threshold,
  thresholdUnit: condition.thresholdUnit,
  comparison: condition.comparison,
  minimumImpressions: condition.minimumImpressions,
  sensitivity: condition.sensitivity,
})

/** Whether a rule finds what it found before: evaluation reads everything but its title. */
const asksTheSame = (row: ConditionRow, columns: ReturnType<typeof columnsOf>): boolean =>
  (Object.keys(columns) as (keyof typeof columns)[]).every(
    (name) => name === 'title' || (name === 'targets' ? columns[name] === JSON.stringify(row[name]) : columns[name] === row[name]),
  )

export const targetsOf = (row: Pick<ConditionRow, 'targets'>): string[] => row.targets.map(fromStored)
