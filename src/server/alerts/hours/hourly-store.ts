import { type Selectable, sql } from 'kysely'
import type { IsoDate } from '../../../contract/common.ts'
import type { HeldPlan } from '../../../contract/user.ts'
import { type Offer, planUnder } from '../../../core/billing/offer.ts'
import { hourlyDetail } from '../../../core/alerting/copy.ts'
import { isSameDirection } from '../../../core/alerting/figures.ts'
import type { Level } from '../../../core/alerting/ending.ts'
import type { OpenOfSite } from '../../../core/alerting/hours/hourly.ts'
import { moreSevere, type Severity } from '../../../core/alerting/severity.ts'
import type { AlertsTable, StoredFigures, StoredHours } from '../../database/alert-tables.ts'
import type { Db } from '../../database/open.ts'
import type { EventBus } from '../../common/events.ts'
import { type ConditionRow, segmentName } from '../rules/conditions-store.ts'
import { announce, mostUrgent, urgenciesOf, worsenedSince } from '../incidents/announce.ts'
import { lastForParts, makeWay, ownEnd } from '../incidents/own-change.ts'
import { isGrowing } from '../evaluation-store.ts'
import { end } from '../outcome-writes.ts'
import { toStored } from '../names.ts'
import { type Beyond, noteBeyond } from './note-beyond.ts'

/** What evaluating hours and final days needs to know about a property. */
export type HourlyProperty = {
  id: number
  userId: string
  name: string
  /** Whether older days are still being fetched, and the first day fetched so far. */
  isGrowing: boolean
  backfilledFrom: IsoDate | null
  /** Null without payment. */
  plan: HeldPlan
  /** The day through which it is final. */
  through: IsoDate | null
  /** The start of the last hour that Google has finished counting. */
  hoursThrough: Date | null
  hoursTold: number
  /** Counts the changes of its rules. */
  rulesChanged: number
}

/** An open hourly alert that daily data hasn't taken over, with its rule. */
export type HourlyAlert = Selectable<Pick<AlertsTable, 'id' | 'propertyId' | 'conditionId' | 'figures' | 'severity'>> & {
  hours: StoredHours
}

/** What an alert's own hours showed. */
export type HourlyFinding = Omit<EvaluatedHours, 'series'> & { condition: ConditionRow }

type EvaluatedHours = { severity: Severity; figures: StoredFigures; hours: StoredHours; series: readonly number[] }
export type Settled = { alertId: number } & (
  | ({ to: 'confirmed'; detail: string } & EvaluatedHours)
  | { to: 'ended'; reason: string; detail?: string; level?: Level; hours: StoredHours }
  | { to: 'waits'; hours: StoredHours }
)

export function createHourlyStore(db: Db, events: EventBus, offer: Offer) {
  const monitored = () =>
    db
      .selectFrom('properties')
      .innerJoin('people', 'people.userId', 'properties.userId')
      .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
      .innerJoin('alertWatches', 'alertWatches.propertyId', 'properties.id')
      .where('people.closedAt', 'is', null)
      .where('properties.monitored', '=', true)
      .where('properties.detachedAt', 'is', null)

  return {
    /** Notes that a property's hours have changed; whoever looks for due work next evaluates them. */
    async changed(propertyId: number): Promise<void> {
      await db
        .updateTable('alertWatches')
        .set({ hoursTold: sql<number>`hours_told + 1` })
        .where('propertyId', '=', propertyId)
        .execute()
    },

    /** Properties whose present hours haven't been evaluated. */
    async due(): Promise<number[]> {
      const rows = await monitored()
        .whereRef('alertWatches.hoursTold', '<>', 'alertWatches.hoursJudged')
        .select('properties.id')
        .orderBy(sql`row_number() OVER (PARTITION BY properties.user_id ORDER BY properties.id)`)
        .orderBy('properties.id')
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Properties with an hourly alert whose day is final, or which was confirmed and has a later final day. */
    async unsettled(): Promise<number[]> {
      const rows = await monitored()
        .innerJoin('alerts', 'alerts.propertyId', 'properties.id')
        .where('alerts.basis', '=', 'hours')
        .where('alerts.recoveredAt', 'is', null)
        .where(sql<boolean>`property_syncs.complete_through >= (alerts.hours->>'day')::date`)
        .where(sql<boolean>`property_syncs.complete_through > coalesce((alerts.hours->>'judged')::date, '-infinity')`)
        .select('properties.id')
        .distinct()
        .orderBy('properties.id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async property(id: number): Promise<HourlyProperty | null> {
      const row = await monitored()
        .leftJoin('hourSyncs', 'hourSyncs.propertyId', 'properties.id')
        .leftJoin('searchTypeSyncs', (join) =>
          join.onRef('searchTypeSyncs.propertyId', '=', 'properties.id').on('searchTypeSyncs.searchType', '=', 'web'),
        )
        .where('properties.id', '=', id)
        .select(['properties.id', 'properties.userId', 'properties.name', 'properties.kind', 'people.plan'])
        .select(['searchTypeSyncs.backfilledFrom', 'searchTypeSyncs.backfillTo'])
        .select(['alertWatches.hoursTold', 'alertWatches.rulesChanged'])
        .select(['propertySyncs.completeThrough as through', 'hourSyncs.completeThrough as hoursThrough'])
        .executeTakeFirst()
      return row ? { ...row, plan: planUnder(offer, row.plan), isGrowing: row.kind === 'google' && isGrowing(row) } : null
    },

    /** A property's rules that are on. */
    conditions: (propertyId: number): Promise<ConditionRow[]> =>
      db
        .selectFrom('alertConditions')
        .where('propertyId', '=', propertyId)
        .where('isEnabled', '=', true)
        .selectAll()
        .select(segmentName)
        .orderBy('id')
        .execute(),

    /** Open hourly alerts. */
    async open(propertyId: number): Promise<HourlyAlert[]> {
      const rows = await db
        .selectFrom('alerts')
        .where('propertyId', '=', propertyId)
        .where('basis', '=', 'hours')
        .where('recoveredAt', 'is', null)
        .select(['id', 'propertyId', 'conditionId', 'figures', 'severity', 'hours'])
        .orderBy('id')
        .execute()
      return rows.flatMap(({ hours, ...row }) => (hours ? [{ ...row, hours }] : []))
    },

    /** Open alerts about the whole site in web search, whatever opened them. Being below last year isn't what hours find. */
    async openOfSite(propertyId: number): Promise<OpenOfSite[]> {
      const rows = await db
        .selectFrom('alerts')
        .where('propertyId', '=', propertyId)
        .where('recoveredAt', 'is', null)
        .where('entityKind', '=', 'site')
        .where('searchType', '=', 'web')
        .where(sql<boolean>`comparison IS DISTINCT FROM 'same_period_last_year'`)
        .where(ownEnd, 'is', null)
        .select(['id', 'conditionId', 'type', 'figures', 'partOf', 'basis', 'hours'])
        .orderBy('id', 'desc')
        .execute()
      return rows.flatMap(({ id: alertId, conditionId, type: metric, figures, partOf, basis, hours }) => {
        if (conditionId === null || !figures || figures.change === null) return []
        const day = basis === 'hours' ? (hours?.day ?? null) : null
        return [{ alertId, ruleId: String(conditionId), metric, change: figures.change, isPart: partOf !== null, day }]
      })
    },

    /**
     * Stores what the hours of a day showed: opens new alerts and updates open ones. A rule with an open alert, or one that already found
     * this day, opens no other, but a drop replaces a rise; an open one never becomes milder. If a rule was changed meanwhile, nothing is
     * stored and the hours stay due.
     * @param beyond open alerts that become critical with it, since the site has only one at a time
     */
    async found(property: HourlyProperty, findings: readonly HourlyFinding[], beyond: readonly Beyond[], now: Date): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { numUpdatedRows: watches } = await trx
          .updateTable('alertWatches')
          .set({ hoursJudged: property.hoursTold })
          .where('propertyId', '=', property.id)
          .where('rulesChanged', '=', property.rulesChanged)
          .executeTakeFirstOrThrow()
        if (watches === 0n) return
        const before = await urgenciesOf(trx, property.id)
        const opened: number[] = []
        const recovered: number[] = []
        for (const { condition, severity, figures, hours } of findings) {
          const known = await trx
            .selectFrom('alerts')
            .where('conditionId', '=', condition.id)
            .where(sql<boolean>`hours->>'day' = ${hours.day}`)
            .select(['id', 'severity', 'figures', 'hours'])
            .select(sql<boolean>`basis = 'hours' AND recovered_at IS NULL AND hours->>'status' = 'preliminary'`.as('isOpen'))
            .executeTakeFirst()
          // A day that began low may end up high: its final figures decide.
          if (known && (!known.isOpen || !isSameDirection(known.figures, figures))) continue
          const seen = known ? known.hours?.seen : hours.through
          const evaluated = { severity, figures: JSON.stringify(figures), hours: JSON.stringify({ ...hours, seen }), judgedAt: now }
          if (known) {
            const worst = moreSevere(severity, known.severity)
            await trx
              .updateTable('alerts')
              .set({ ...evaluated, severity: worst })
              .where('id', '=', known.id)
              .execute()
            continue
          }
          const { ended, parts } = await makeWay(trx, condition.id, { figures, detail: hourlyDetail(condition.type, hours, figures) }, now)
          recovered.push(...ended)
          const row = await trx
            .insertInto('alerts')
            .values({
              propertyId: property.id,
              conditionId: condition.id,
              kind: condition.kind,
              type: condition.type,
              comparison: condition.comparison,
              entityKind: 'site',
              entityName: toStored(property.name),
              state: 'firing',
              basis: 'hours',
              ...evaluated,
              opening: JSON.stringify(figures),
              contributors: '[]',
              series: '[]',
              action: 'null',
              openedAt: now,
            })
            .onConflict((oc) => oc.doNothing())
            .returning('id')
            .executeTakeFirst()
          const partOf = row?.id ?? null
          if (parts.length > 0) await trx.updateTable('alerts').set({ partOf }).where('id', 'in', parts).execute()
          if (!row) continue
          opened.push(row.id)
          await trx
            .insertInto('alertEvents')
            .values({ alertId: row.id, fromState: null, toState: 'firing', reason: 'hours_found', at: now })
            .execute()
        }
        for (const each of beyond) await noteBeyond(trx, each, now)
        const hoursOf = new Map(beyond.map(({ alertId, ...hours }) => [alertId, hours]))
        const others = (await worsenedSince(trx, property.id, before)).filter(({ id }) => !hoursOf.has(id))
        // Again each hour: anyone already notified of about as much isn't notified again.
        const far = [...hoursOf].map(([id, hours]) => ({ id, isMoreUrgent: (before.get(id)?.urgency ?? mostUrgent) < mostUrgent, hours }))
        await announce(events, trx, { userId: property.userId, propertyId: property.id, opened, recovered, worsened: [...others, ...far] })
      })
    },

    /** Stores what final days decided about hourly alerts. The days are evaluated after that, since they may find more. */
    async settle(property: HourlyProperty, settled: readonly Settled[], now: Date): Promise<void> {
      if (settled.length === 0) return
      await db.transaction().execute(async (trx) => {
        await trx.updateTable('alertWatches').set({ judgedVersion: null }).where('propertyId', '=', property.id).execute()
        const before = await urgenciesOf(trx, property.id)
        for (const each of settled) {
          const own = trx.updateTable('alerts').where('id', '=', each.alertId).where('basis', '=', 'hours').where('recoveredAt', 'is', null)
          const hours = JSON.stringify(each.hours)
          if (each.to !== 'confirmed') {
            await own.set({ hours }).execute()
            continue
          }
          const { severity, series, detail } = each
          const figures = JSON.stringify(each.figures)
          const row = await own
            .set({ hours, severity, opening: figures, figures, series: JSON.stringify(series), judgedAt: now })
            .returning('state')
            .executeTakeFirst()
          if (!row) continue
          await trx
            .insertInto('alertEvents')
            .values({ alertId: each.alertId, fromState: row.state, toState: row.state, reason: 'day_confirmed', detail, at: now })
            .execute()
        }
        const over = settled.flatMap((each) => (each.to === 'ended' ? [each] : []))
        const lasting = await lastForParts(trx, over, property.through, now)
        const recovered = await end(
          trx,
          over.filter(({ alertId }) => !lasting.has(alertId)),
          now,
        )
        const worsened = await worsenedSince(trx, property.id, before)
        await announce(events, trx, { userId: property.userId, propertyId: property.id, recovered, worsened })
      })
    },
  }
}

export type HourlyStore = ReturnType<typeof createHourlyStore>
