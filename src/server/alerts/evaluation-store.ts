import { sql } from 'kysely'
import type { EvaluateAnswer } from '../../contract/alerts/alerts.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { Db } from '../database/open.ts'
import { isOpen } from '../database/open-accounts.ts'
import type { EventBus } from '../common/events.ts'
import { type ConditionRow, segmentName } from './rules/conditions-store.ts'
import type { RecoveryReason } from '../../core/alerting/lifecycle.ts'
import type { Level } from '../../core/alerting/ending.ts'
import { type Covered, type Earlier, returnDays } from '../../core/alerting/muting.ts'
import { announce, urgenciesOf, worsenedSince } from './incidents/announce.ts'
import { noteOwnEnds, ownEnd } from './incidents/own-change.ts'
import { leftOutOf, noteLeftOut, withinTheDay } from './left-out.ts'
import { fromStored, toStored } from './names.ts'
import { type OpenRow, passedOf, type PassedOfType } from './open-rows.ts'
import { adopt, end, noteFinders, open, type Outcome, raise, regroup, splitReplaced, throughOf } from './outcome-writes.ts'
import { evaluatedBy } from './incidents/stored-finding.ts'
import type { Coverage, Evaluated } from './tasks.ts'

/** Characters that an entity's name and figures take in an ordinary property. */
const usualLetters = 100

export function createEvaluationStore(db: Db, events: EventBus) {
  const evaluatedProperties = () =>
    db
      .selectFrom('properties')
      .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
      .leftJoin('alertWatches', 'alertWatches.propertyId', 'properties.id')
      .where('properties.monitored', '=', true)
      .where('properties.detachedAt', 'is', null)
      .where(isOpen('properties.userId'))
      .where('propertySyncs.completeThrough', 'is not', null)

  /** How far the search types other than web are fetched. */
  async function coverages(ids: readonly number[]): Promise<Map<number, Map<SearchType, Coverage>>> {
    const rows = await db
      .selectFrom('searchTypeSyncs')
      .where(sql<boolean>`property_id = any(${[...ids]})`)
      .where('searchType', '<>', 'web')
      .select(['propertyId', 'searchType', 'backfilledFrom', 'backfillTo', 'finalThrough'])
      .execute()
    const found = new Map<number, Map<SearchType, Coverage>>()
    for (const { propertyId, searchType, finalThrough: through, ...row } of rows) {
      const types = found.get(propertyId) ?? new Map<SearchType, Coverage>()
      found.set(propertyId, types.set(searchType, { through, backfilledFrom: row.backfilledFrom, isGrowing: isGrowing(row) }))
    }
    return found
  }

  return {
    /**
     * Properties whose data or rules changed since their last evaluation, and those with a rule due for a retry. Accounts whose last turn
     * is longest ago come first, and a newcomer's arrival counts as its last turn, so nobody waits for more than one turn of each other
     * account.
     * @param among only these
     */
    async due(now: Date, among?: readonly number[]): Promise<number[]> {
      const rows = await evaluatedProperties()
        .$if(among !== undefined, (query) => query.where(sql<boolean>`properties.id = any(${[...(among ?? [])]})`))
        .where((eb) =>
          eb.or([
            eb('alertWatches.judgedVersion', 'is distinct from', eb.ref('propertySyncs.factsVersion')),
            eb('alertWatches.judgedThrough', 'is distinct from', eb.ref('propertySyncs.completeThrough')),
            eb.exists(
              eb
                .selectFrom('alertConditions')
                .whereRef('alertConditions.propertyId', '=', 'properties.id')
                .where('alertConditions.isEnabled', '=', true)
                .where('alertConditions.retryAt', '<=', now)
                .select('alertConditions.id'),
            ),
          ]),
        )
        .leftJoin(
          (eb) =>
            eb
              .selectFrom('alertWatches')
              .innerJoin('properties', 'properties.id', 'alertWatches.propertyId')
              .groupBy('properties.userId')
              .select(['properties.userId', eb.fn.max('alertWatches.judgedAt').as('at')])
              .as('tries'),
          (join) => join.onRef('tries.userId', '=', 'properties.userId'),
        )
        .select('properties.id')
        // One property of each person before anyone's second, so that nobody waits for the many properties of another.
        .orderBy(sql`row_number() OVER (PARTITION BY properties.user_id ORDER BY alert_watches.judged_at NULLS FIRST, properties.id)`)
        .orderBy(sql`coalesce(tries.at, properties.created_at)`)
        .orderBy('properties.id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async properties(ids: readonly number[]): Promise<Evaluated[]> {
      const asked = evaluatedProperties()
        .leftJoin('searchTypeSyncs', (join) =>
          join.onRef('searchTypeSyncs.propertyId', '=', 'properties.id').on('searchTypeSyncs.searchType', '=', 'web'),
        )
        .where(sql<boolean>`properties.id = any(${[...ids]})`)
        .select(['properties.id', 'properties.userId', 'properties.name', 'properties.kind', 'propertySyncs.factsVersion'])
        .select(['propertySyncs.completeThrough', 'searchTypeSyncs.backfilledFrom', 'searchTypeSyncs.backfillTo'])
        .select((eb) => eb.fn.coalesce('alertWatches.rulesChanged', sql.lit(0)).as('rulesChanged'))
        .orderBy('properties.id')
      const [rows, others] = await Promise.all([asked.execute(), coverages(ids)])
      return rows.map(({ kind, completeThrough, backfillTo, ...row }) => ({
        ...row,
        through: completeThrough as IsoDate,
        isFetched: kind === 'google',
        isGrowing: kind === 'google' && isGrowing({ ...row, backfillTo }),
        others: others.get(row.id) ?? new Map<SearchType, Coverage>(),
      }))
    },

    /** Rules that are on; those waiting for a retry only if asked for. */
    async conditions(propertyIds: readonly number[], now: Date | 'all'): Promise<ConditionRow[]> {
      const enabled = db
        .selectFrom('alertConditions')
        .where(sql<boolean>`property_id = any(${[...propertyIds]})`)
        .where('isEnabled', '=', true)
      const asked = now === 'all' ? enabled : enabled.where((eb) => eb.or([eb('retryAt', 'is', null), eb('retryAt', '<=', now)]))
      return asked.selectAll().select(segmentName).orderBy('id').execute()
    },

    async open(propertyIds: readonly number[]): Promise<OpenRow[]> {
      const rows = await db
        .selectFrom('alerts')
        .where(sql<boolean>`property_id = any(${[...propertyIds]})`)
        .where('recoveredAt', 'is', null)
        .where('conditionId', 'is not', null)
        .select(['id', 'propertyId', 'conditionId', 'entityKind', 'entityName', 'type', 'searchType', 'state', 'opening', 'figures'])
        .select(['judgedAt', 'judgedThrough', 'severity', 'basis', 'hours', 'partOf', 'segment', 'covered'])
        .select(
          sql<number[]>`(SELECT coalesce(jsonb_agg(finders.condition_id), '[]') FROM alert_finders AS finders
          JOIN alert_conditions AS rules ON rules.id = finders.condition_id WHERE finders.alert_id = alerts.id AND rules.is_enabled)`.as(
            'alsoBy',
          ),
        )
        .select(ownEnd.as('ownEnd'))
        .execute()
      return rows.map((row) => ({ ...row, entityName: fromStored(row.entityName), covered: row.covered.map(named) }))
    },

    /** Site-wide changes that ended so recently that a finding may still be compared with days of them or before, by property. */
    async passed(propertyIds: readonly number[]): Promise<Map<number, PassedOfType[]>> {
      const rows = await db
        .selectFrom('alerts')
        .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'alerts.propertyId')
        .innerJoin('alertEvents', 'alertEvents.alertId', 'alerts.id')
        .where(sql<boolean>`alerts.property_id = any(${[...propertyIds]})`)
        .where('entityKind', '=', 'site')
        .where('alerts.state', '=', 'recovered')
        .where('alertEvents.toState', '=', 'recovered')
        .where('alertEvents.reason', 'in', ['back', 'new_level'])
        .where(sql<boolean>`judged_through > complete_through - ${returnDays}::integer`)
        .select(['alerts.propertyId', 'entityKind', 'basis', 'type', 'searchType', 'opening', 'figures', 'covered', 'judgedThrough'])
        .select('alertEvents.reason')
        .execute()
      const passed = rows.flatMap((row) =>
        passedOf({ ...row, covered: row.covered.map(named) }, row.reason as RecoveryReason).map((each) => ({
          ...each,
          propertyId: row.propertyId,
        })),
      )
      return Map.groupBy(passed, ({ propertyId }) => propertyId)
    },

    /** Alerts about these entities that these rules found and that recovered or settled recently, by property. */
    async returned(propertyIds: readonly number[], asked: readonly { ruleId: string; name: string }[]): Promise<Map<number, Earlier[]>> {
      if (asked.length === 0) return new Map()
      const [rules, names] = [asked.map(({ ruleId }) => ruleId), asked.map(({ name }) => toStored(name))]
      const { rows } = await sql<Omit<Earlier, 'level'> & { propertyId: number; level: Level | null }>`
        SELECT property_id AS "propertyId", finder.rule::text AS "ruleId", entity_name AS name, opening, judged_through::text AS "end",
          CASE ended->>'reason' WHEN 'new_level' THEN ended->'level' END AS level
        FROM alerts JOIN property_syncs USING (property_id),
          LATERAL (SELECT alerts.condition_id UNION SELECT condition_id FROM alert_finders WHERE alert_id = alerts.id) AS finder (rule)
        WHERE property_id = any(${[...propertyIds]}) AND alerts.state = 'recovered' AND basis = 'days' AND opening IS NOT NULL
          AND judged_through > complete_through - ${returnDays}::integer
          AND (finder.rule, entity_name) IN (SELECT * FROM unnest(${rules}::bigint[], ${names}::text[]))
          AND (ended->'level' IS NOT NULL
            OR EXISTS (SELECT FROM alert_events WHERE alert_id = alerts.id AND to_state = 'recovered' AND reason = 'back'))`.execute(db)
      return Map.groupBy(
        rows.map(({ level, ...row }) => ({ ...row, name: fromStored(row.name), ...(level && { level }) })),
        ({ propertyId }) => propertyId,
      )
    },

    /**
     * Total characters of the names involved in evaluating properties: those their active rules may look at, and those of open alerts.
     * @param openEnded the number of entities for a rule without a list
     */
    async lettersOf(propertyIds: readonly number[], openEnded: number): Promise<Map<number, number>> {
      const ids = [...propertyIds]
      const { rows } = await sql<{ propertyId: number; letters: number }>`
        SELECT property_id AS "propertyId", sum(letters)::float AS letters FROM (
          SELECT property_id, CASE WHEN kind <> 'change' OR monitor = 'new_content' THEN ${openEnded * usualLetters}::integer
            ELSE ${20 * usualLetters}::integer + length(targets::text) END AS letters
          FROM alert_conditions WHERE property_id = any(${ids}) AND is_enabled
          UNION ALL
          SELECT property_id, length(entity_name) FROM alerts
          WHERE property_id = any(${ids}) AND recovered_at IS NULL AND condition_id IS NOT NULL) AS names
        GROUP BY property_id`.execute(db)
      return new Map(rows.map(({ propertyId, letters }) => [propertyId, letters]))
    },

    /**
     * Stores an outcome as a whole or not at all; returns how many alerts are new, and how many findings didn't become alerts. Events are
     * emitted within the transaction. If a rule was changed meanwhile, nothing is stored and the property stays due.
     */
    async apply(outcome: Outcome, now: Date): Promise<EvaluateAnswer> {
      const { property } = outcome
      return db.transaction().execute(async (trx) => {
        // From here on nobody else opens alerts for this property.
        if (!(await takeEvaluated(trx, [property], now))) return { count: 0, leftOut: 0 }
        const within = await withinTheDay(trx, outcome, now)
        // A rule that now watches something else may find the same page again: its earlier alert has to end first.
        const [replaced, ended] = splitReplaced(outcome)
        const before = await urgenciesOf(trx, property.id)
        const replacedIds = await end(trx, replaced, now)
        const opened = await open(trx, within, now)
        await regroup(trx, within, opened)
        await noteLeftOut(trx, within)
        for (const { alertId, finding, ...evidence } of outcome.same) {
          await trx
            .updateTable('alerts')
            .set({ ...evaluatedBy(finding, evidence), judgedAt: now, judgedThrough: throughOf(outcome, finding) })
            .where('id', '=', alertId)
            .where('recoveredAt', 'is', null)
            .execute()
        }
        await adopt(trx, outcome, now)
        await raise(trx, within, opened)
        await noteFinders(trx, within, opened)
        await noteOwnEnds(trx, outcome.onlyParts, now)
        const recovered = [...replacedIds, ...(await end(trx, ended, now))]
        for (const { conditionId, problem, retryAt } of outcome.broken) {
          const problemSince = sql<Date>`coalesce(problem_since, ${now})`
          await trx.updateTable('alertConditions').set({ problem, problemSince, retryAt }).where('id', '=', conditionId).execute()
        }
        if (outcome.mended.length > 0) {
          const mended = { problem: null, problemSince: null, retryAt: null }
          await trx.updateTable('alertConditions').set(mended).where('id', 'in', outcome.mended).execute()
        }
        const announced = opened.filter(({ partOf }) => partOf === null).map(({ id }) => id)
        const worsened = await worsenedSince(trx, property.id, before)
        await announce(events, trx, { userId: property.userId, propertyId: property.id, opened: announced, recovered, worsened })
        return { count: announced.length, leftOut: leftOutOf(within) }
      })
    },

    /** Notes that the evaluation of these is tried, so that others come first next time. Waits for nobody who holds one of their rows. */
    async tried(properties: readonly Evaluated[], now: Date): Promise<void> {
      if (properties.length === 0) return
      await sql`UPDATE alert_watches SET judged_at = ${now} FROM (${freeOf(properties)}) AS free WHERE property_id = free.id`.execute(db)
    },

    /**
     * The same as `apply` for many properties without changes: notes that they were evaluated. Doesn't wait for rows that are locked: those
     * properties stay due.
     */
    async evaluated(properties: readonly Evaluated[], now: Date): Promise<void> {
      if (properties.length === 0) return
      await db.transaction().execute(async (trx) => {
        const free = new Set((await freeOf(properties).execute(trx)).rows.map(({ id }) => Number(id)))
        const those = properties.filter(({ id }) => free.has(id))
        await takeEvaluated(trx, those, now)
      })
    },
  }
}
export type EvaluationStore = ReturnType<typeof createEvaluationStore>

const named = ({ entity, ...rest }: Covered): Covered => ({ ...rest, entity: { ...entity, name: fromStored(entity.name) } })

/** Whether older days are still to be fetched. */
export const isGrowing = ({ backfilledFrom, backfillTo }: Record<'backfilledFrom' | 'backfillTo', IsoDate | null>): boolean =>
  backfilledFrom === null || backfillTo === null || backfilledFrom > backfillTo

/** Those whose rows nobody holds, to be locked. */
const freeOf = (properties: readonly Evaluated[]) => sql<{ id: number }>`SELECT property_id AS id FROM alert_watches
  WHERE property_id = any(${properties.map(({ id }) => id)}) FOR NO KEY UPDATE SKIP LOCKED`

/** Records that properties have been evaluated, except those whose rules changed meanwhile; returns whether any was. */
async function takeEvaluated(trx: Db, properties: readonly Evaluated[], now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`UPDATE alert_watches
    SET judged_version = evaluated.version, judged_through = evaluated.through, judged_at = ${now}
    FROM unnest(${properties.map(({ id }) => id)}::bigint[], ${properties.map(({ factsVersion }) => factsVersion)}::bigint[],
      ${properties.map(({ through }) => through)}::date[], ${properties.map(({ rulesChanged }) => rulesChanged)}::bigint[])
      AS evaluated (id, version, through, rules)
    WHERE property_id = evaluated.id AND rules_changed = evaluated.rules`.execute(trx)
  return (numAffectedRows ?? 0n) > 0n
}
