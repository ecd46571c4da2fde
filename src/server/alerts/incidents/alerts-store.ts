import { type Selectable, sql } from 'kysely'
import { entityKind, severity as severities, type Severity } from '../../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../../contract/common.ts'
import { mostLetters } from '../../../core/alerting/bounds.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { Refusal } from '../../common/errors.ts'
import type { AlertsTable } from '../../database/alert-tables.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import type { Db } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import type { StoredSegment } from '../../database/annotation-tables.ts'
import { type Move, moveIncidents } from './move.ts'

/** A part of an alert, as lists show it. */
export type PartRow = Pick<
  Selectable<AlertsTable>,
  'id' | 'kind' | 'type' | 'entityKind' | 'entityName' | 'searchType' | 'segment' | 'severity' | 'state' | 'figures' | 'ended'
> & { recoveredAt: string | null }

/** The most severe parts of an alert, and how many there are. */
export type Parts = { listed: readonly PartRow[]; count: number }

/** `parts` is absent where parts are listed by themselves, as in an export. */
export type AlertRow = Selectable<AlertsTable> & { property: string; parts?: Parts }

/**
 * Maximum number of parts shown with an alert by itself, and in a list: for hundreds of alerts, all parts would take hundreds of megabytes.
 */
const mostParts = 50
const mostPartsInList = 3
const mostSevereFirst = sql`array_position(${severities.options}::text[], part.severity), part.id`
/** Fewer parts if their names are long. */
const partsUpTo = (most: number) => sql<Parts>`(SELECT jsonb_build_object(
  'listed', coalesce(jsonb_agg(to_jsonb(listed) - 'letters') FILTER (WHERE listed.letters <= ${sql.lit(mostLetters)}), '[]'),
  'count', (SELECT count(*) FROM alerts AS part WHERE part.part_of = alerts.id)) FROM (
  SELECT id, kind, type, entity_kind AS "entityKind", entity_name AS "entityName",
    search_type AS "searchType", segment, severity, state, figures, ended, recovered_at AS "recoveredAt",
    sum(length(entity_name)) OVER (ORDER BY ${mostSevereFirst}) AS letters
  FROM alerts AS part WHERE part.part_of = alerts.id ORDER BY ${mostSevereFirst} LIMIT ${sql.lit(most)}) AS listed)`
export const partsOfAlert = partsUpTo(mostParts)
const partsInList = partsUpTo(mostPartsInList)

/** The columns lists need: without those of the report, which make up most of the row. */
const listed = [
  'id',
  'propertyId',
  'conditionId',
  'basis',
  'hours',
  'kind',
  'type',
  'entityKind',
  'entityName',
  'searchType',
  'segment',
  'severity',
  'state',
  'snoozedUntil',
  'viewedAt',
  'opening',
  'figures',
  'series',
  'message',
  'action',
  'openedAt',
  'recoveredAt',
  'ended',
  'verdict',
  'verdictAt',
] as const satisfies (keyof AlertsTable)[]
export type ListedAlert = Pick<AlertRow, (typeof listed)[number] | 'property' | 'parts'>
export const listedColumns = listed.map((column) => `alerts.${column}` as const)

const pacificDay = (moment: string) => sql`(${sql.ref(moment)} AT TIME ZONE 'America/Los_Angeles')::date`
/** The day an alert was found on, which is the last of the evaluated ones. */
const firstDay = sql`coalesce((alerts.opening->'windows'->'current'->>'end')::date, ${pacificDay('alerts.opened_at')})`
/** The last day it or any of its parts was found on; none while it is open. */
const lastDay = sql`CASE WHEN alerts.recovered_at IS NULL THEN 'infinity'
  WHEN alerts.entity_kind = 'connection' THEN ${pacificDay('alerts.recovered_at')}
  ELSE greatest(${firstDay}, alerts.judged_through, (alerts.figures->'windows'->'current'->>'end')::date,
    (SELECT max(part.judged_through) FROM alerts AS part WHERE part.part_of = alerts.id)) END`

/** Whether final or revised data no longer shows what an alert was about (`endingOf` in core/alerting/ending.ts). */
const isUntrue = (alias: string) => sql<boolean>`coalesce(${sql.ref(`${alias}.ended`)}->>'reason' IN ('day_withdrew', 'revised'), false)
  OR coalesce(${sql.ref(`${alias}.hours`)}->>'status' = 'withdrawn', false)`
const happened = sql<boolean>`(alerts.recovered_at IS NULL OR NOT (${isUntrue('alerts')})
  OR EXISTS (SELECT FROM alerts AS part WHERE part.part_of = alerts.id AND NOT (${isUntrue('part')})))`

export type AlertsFilter = {
  /** Null for all of the person's properties. */
  propertyId: number | null
  severity?: Severity | undefined
  from?: IsoDate | undefined
  to?: IsoDate | undefined
  state: 'open' | 'all'
  viewed?: boolean | undefined
  /** Only alerts that come after this one in the list's order. */
  after?: AlertPlace | undefined
}
/** An alert's place in the order of lists. */
export type AlertPlace = { openedAt: Date; severity: string; entityKind: string; id: string }
/** The number of a property's open alerts, and the worst severity among them. */
export type OpenAlerts = { open: number; worst: Severity }
export type AlertsPage = { limit: number; offset: number }

/** Latest first; of the same moment, the most severe and widest first, both in the contract's order. */
const latestFirst = sql`alerts.opened_at DESC, array_position(${severities.options}::text[], alerts.severity),
  array_position(${entityKind.options}::text[], alerts.entity_kind), alerts.id DESC`
const isAfter = ({ openedAt, severity, entityKind: kind, id }: AlertPlace) => sql<boolean>`(alerts.opened_at,
  -array_position(${severities.options}::text[], alerts.severity), -array_position(${entityKind.options}::text[], alerts.entity_kind), alerts.id)
  < (${openedAt}::timestamptz, -array_position(${severities.options}::text[], ${severity}),
  -array_position(${entityKind.options}::text[], ${kind}), ${id}::bigint)`

export function createAlertsStore(db: Db) {
  const ofPerson = (trx: Db, userId: string) =>
    trx
      .selectFrom('alerts')
      .innerJoin('properties', 'properties.id', 'alerts.propertyId')
      .where('properties.userId', '=', userId)
      .where('properties.detachedAt', 'is', null)

  const load = (trx: Db, userId: string, ids: readonly string[]): Promise<AlertRow[]> =>
    ofPerson(trx, userId)
      .where(sql<boolean>`alerts.id = any(${ids.map(Number)})`)
      .selectAll('alerts')
      .select(['properties.name as property', (ids.length === 1 ? partsOfAlert : partsInList).as('parts')])
      .orderBy(latestFirst)
      .execute()

  /** @throws Refusal 404 if any of these alerts isn't this person's, so that a transaction changes none of them */
  async function every(trx: Db, userId: string, ids: readonly string[]): Promise<AlertRow[]> {
    const rows = await load(trx, userId, ids)
    if (rows.length < new Set(ids.map(Number)).size) throw notYours()
    return rows
  }

  /** With `from`, open alerts count too, however old. */
  function matching(userId: string, { propertyId, severity, from, to, state, viewed, after }: AlertsFilter) {
    let query = ofPerson(db, userId).where('alerts.partOf', 'is', null)
    if (propertyId !== null) query = query.where('alerts.propertyId', '=', propertyId)
    if (severity !== undefined) query = query.where('alerts.severity', '=', severity)
    if (state === 'open') query = query.where('alerts.recoveredAt', 'is', null)
    if (viewed !== undefined) query = query.where('alerts.viewedAt', viewed ? 'is not' : 'is', null)
    if (after !== undefined) query = query.where(isAfter(after))
    if (from !== undefined) {
      query = query.where((eb) => eb.or([eb('alerts.openedAt', '>=', new Date(from)), eb('alerts.recoveredAt', 'is', null)]))
    }
    if (to !== undefined) query = query.where('alerts.openedAt', '<', new Date(addDays(to, 1)))
    return query
  }

  const page = (userId: string, { limit, offset, ...filter }: AlertsFilter & AlertsPage) =>
    matching(userId, filter)
      .select(listedColumns)
      .select(['properties.name as property', partsInList.as('parts')])
      .orderBy(latestFirst)
      .limit(limit)
      .offset(offset)

  /** Asked for by every dashboard. */
  type OfProperty = AlertsPage & { userId: string; propertyId: number }
  const dashboard = (state: 'open' | 'all') =>
    prepared(db, ({ userId, propertyId, limit, offset }: OfProperty) => page(userId, { propertyId, limit, offset, state }))
  const dashboards = { open: dashboard('open'), all: dashboard('all') }

  /** @throws Refusal 404 if any of them isn't theirs; then none is changed */
  const move = (userId: string, ids: readonly string[], to: Move, now: Date, within: Db = db): Promise<AlertRow[]> =>
    inTransaction(within, async (trx) => {
      await moveIncidents(trx, userId, ids, to, now)
      return every(trx, userId, ids)
    })

  return {
    list: (userId: string, filter: AlertsFilter & AlertsPage): Promise<ListedAlert[]> => {
      const { propertyId, limit, offset, state, ...further } = filter
      if (propertyId === null || Object.values(further).some((value) => value !== undefined)) return page(userId, filter).execute()
      return dashboards[state]({ userId, propertyId, limit, offset })
    },

    async count(userId: string, filter: AlertsFilter): Promise<number> {
      const { count } = await matching(userId, filter)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow()
      return count
    },

    /** Open alerts by property of this person, with the worst severity; properties without any are absent. */
    async openByProperty(userId: string): Promise<Map<number, OpenAlerts>> {
      const rows = await matching(userId, { propertyId: null, state: 'open' })
        .groupBy('alerts.propertyId')
        .select(['alerts.propertyId', sql<number>`count(*)::integer`.as('open')])
        .select(
          sql<Severity>`(${severities.options}::text[])[min(array_position(${severities.options}::text[], alerts.severity))]`.as('worst'),
        )
        .execute()
      return new Map(rows.map(({ propertyId, ...alerts }) => [propertyId, alerts]))
    },

    /** The places of the first matches, in the list's order. */
    async places(userId: string, filter: AlertsFilter, limit: number): Promise<AlertPlace[]> {
      const rows = await matching(userId, filter)
        .select(['alerts.id', 'alerts.openedAt', 'alerts.severity', 'alerts.entityKind'])
        .orderBy(latestFirst)
        .limit(limit)
        .execute()
      return rows.map((row) => ({ ...row, id: String(row.id) }))
    },

    /**
     * A property's alerts about any of the days between two, both inclusive, in the list's order. A day becomes final, and is evaluated,
     * days later, so figures count by the days they are of; a connection by when it was broken. Excludes those about what never happened.
     */
    async during(
      userId: string,
      propertyId: number,
      { period: { start, end }, segment }: { period: { start: IsoDate; end: IsoDate }; segment: StoredSegment | null },
      limit: number,
    ) {
      const all = ofPerson(db, userId)
        .where('alerts.propertyId', '=', propertyId)
        .where('alerts.partOf', 'is', null)
        .where(sql<boolean>`${firstDay} <= ${end}::date AND ${lastDay} >= ${start}::date`)
        .where(happened)
      const open = segment === null ? all : all.where(sql`alerts.segment->>'content'`, '=', segment.content)
      const { count } = await open.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
      const rows: AlertRow[] = await open
        .selectAll('alerts')
        .select('properties.name as property')
        .orderBy(latestFirst)
        .limit(limit)
        .execute()
      return { count, rows }
    },

    /** In the order of the list. */
    load: (userId: string, ids: readonly string[], trx: Db = db): Promise<AlertRow[]> => load(trx, userId, ids),

    /** The rules that found an alert, its own first. */
    rulesOf: ({ id, conditionId }: Pick<AlertRow, 'id' | 'conditionId'>): Promise<{ id: string; title: string }[]> =>
      db
        .selectFrom('alertConditions')
        .where((eb) =>
          eb.or([
            eb('alertConditions.id', '=', conditionId),
            eb('alertConditions.id', 'in', eb.selectFrom('alertFinders').where('alertId', '=', id).select('conditionId')),
          ]),
        )
        .select([sql<string>`id::text`.as('id'), 'title'])
        .orderBy(sql`id <> ${conditionId ?? 0}::bigint`)
        .orderBy('alertConditions.id')
        .execute(),

    /** An alert's latest events, newest first, at most `limit`, with the names of those who acted. */
    timeline: (alertId: number, limit: number) =>
      db
        .selectFrom('alertEvents')
        .leftJoin('users', 'users.id', 'alertEvents.byUser')
        .where('alertId', '=', alertId)
        .select(['alertEvents.at', 'alertEvents.fromState', 'alertEvents.toState', 'alertEvents.reason', 'alertEvents.detail'])
        .select(sql<string | null>`coalesce(users.display_username, users.username, users.name)`.as('by'))
        .orderBy('alertEvents.id', 'desc')
        .limit(limit)
        .execute(),

    acknowledge: (userId: string, ids: readonly string[], now: Date, within?: Db): Promise<AlertRow[]> =>
      move(userId, ids, { state: 'acknowledged', from: ['firing', 'snoozed'], until: null, reason: 'acknowledged' }, now, within),

    snooze: (userId: string, id: string, until: Date, now: Date, within?: Db): Promise<AlertRow[]> =>
      move(userId, [id], { state: 'snoozed', from: ['firing', 'acknowledged', 'snoozed'], until, reason: 'snoozed' }, now, within),

    unsnooze: (userId: string, id: string, now: Date, within?: Db): Promise<AlertRow[]> =>
      move(userId, [id], { state: 'firing', from: ['snoozed'], until: null, reason: 'unsnoozed' }, now, within),

    /** @throws Refusal 404 if any of them isn't theirs; then none is changed */
    async view(userId: string, ids: readonly string[], now: Date): Promise<AlertRow[]> {
      const own = await every(db, userId, ids)
      const fresh = own.filter(({ viewedAt }) => viewedAt === null).map(({ id }) => id)
      if (fresh.length === 0) return own
      await db.updateTable('alerts').set({ viewedAt: now }).where('id', 'in', fresh).where('viewedAt', 'is', null).execute()
      return load(db, userId, ids)
    },

    /** Marks everything new as viewed; returns how many alerts that was. */
    async viewAll(userId: string, propertyId: number | null, now: Date): Promise<number> {
      const fresh = matching(userId, { propertyId, state: 'all', viewed: false }).select('alerts.id')
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ viewedAt: now })
        .where('id', 'in', fresh)
        .where('viewedAt', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
  }
}
export type AlertsStore = ReturnType<typeof createAlertsStore>

export const notYours = () => new Refusal(404, "This alert doesn't exist or isn't yours.")
