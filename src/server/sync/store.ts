import { sql } from 'kysely'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { ConnectionState } from '../../contract/sync.ts'
import type { Db } from '../database/open.ts'
import { type Owned, propertyExists, roundRobin, syncedProperties } from './property-queue.ts'
import type { Coverage } from './sync-plan.ts'

/** What a sync needs to know about a property; null if it is not (or no longer) to be synced. */
export type SyncTarget = {
  propertyId: number
  userId: string
  name: string
  /** Its owner has it open. */
  selected: boolean
  /** When its owner last consented to Google access; null if they never did, or revoked it. */
  consentAt: Date | null
  finalThrough: IsoDate | null
  typesProbedAt: Date | null
  /** Some of its days came from files. */
  hasImports: boolean
}

/** Longest time without looking for new days. */
const resyncHours = 6

/** How far one search type is stored, when the current round had requested its new and revised days, and whether they lack appearances. */
export type TypeCoverage = Coverage & { searchType: SearchType; caughtUpAt: Date | null; appearancesDue: boolean }

export function createSyncStore(db: Db) {
  async function coveragesOf(propertyIds: readonly number[]): Promise<Map<number, TypeCoverage[]>> {
    const rows = await db
      .selectFrom('searchTypeSyncs')
      .where(sql<boolean>`property_id = any(${[...propertyIds]})`)
      .select([
        'propertyId',
        'searchType',
        'backfillTo',
        'backfilledFrom',
        'finalThrough',
        'fetchedThrough',
        'caughtUpAt',
        'appearancesDue',
      ])
      .orderBy(sql`search_type = 'web' DESC, search_type`)
      .execute()
    const found = new Map<number, TypeCoverage[]>()
    for (const { propertyId, ...coverage } of rows) found.set(propertyId, [...(found.get(propertyId) ?? []), coverage])
    return found
  }

  return {
    async target(propertyId: number): Promise<SyncTarget | null> {
      const row = await syncedProperties(db)
        .leftJoin('googleConnections', 'googleConnections.userId', 'properties.userId')
        .where('properties.id', '=', propertyId)
        .select(['properties.id as propertyId', 'properties.userId', 'properties.name'])
        .select([
          'propertySyncs.completeThrough as finalThrough',
          'propertySyncs.typesProbedAt',
          'googleConnections.connectedAt as consentAt',
        ])
        .select((eb) =>
          eb
            .exists(
              eb
                .selectFrom('people')
                .whereRef('people.userId', '=', 'properties.userId')
                .whereRef('people.selectedPropertyId', '=', 'properties.id')
                .select('people.userId'),
            )
            .$castTo<boolean>()
            .as('selected'),
        )
        .select(
          sql<boolean>`EXISTS (SELECT FROM imports WHERE property_id = properties.id)
            OR coalesce(property_syncs.importing_loads, '[]') <> '[]'`.as('hasImports'),
        )
        .executeTakeFirst()
      return row ?? null
    },

    exists: (propertyId: number): Promise<boolean> => propertyExists(db, propertyId),

    /**
     * Properties whose next sync is due, of everybody or of one person: the one its owner looks at and the longest waiting first, each
     * person's first before anybody's second, and no more per person than they have places.
     */
    async due(now: Date, userId?: string): Promise<Owned[]> {
      const stale = new Date(now.getTime() - resyncHours * 3_600_000)
      const due = syncedProperties(db)
        .innerJoin('googleConnections', 'googleConnections.userId', 'properties.userId')
        // We aren't told when a disabled API is enabled; a dead token has to be replaced here.
        .where('googleConnections.state', 'in', ['ok', 'api_disabled'])
        .where((eb) => eb.or([eb('propertySyncs.retryAt', 'is', null), eb('propertySyncs.retryAt', '<=', now)]))
        .where((eb) =>
          eb.or([
            eb('propertySyncs.lastSyncedAt', 'is', null),
            eb('propertySyncs.lastSyncedAt', '<', stale),
            eb('propertySyncs.retryAt', 'is not', null),
            eb.exists(
              eb
                .selectFrom('searchTypeSyncs')
                .whereRef('searchTypeSyncs.propertyId', '=', 'properties.id')
                .where((inner) =>
                  inner.or([
                    inner('searchTypeSyncs.backfilledFrom', 'is', null),
                    inner('searchTypeSyncs.backfilledFrom', '>', inner.ref('searchTypeSyncs.backfillTo')),
                  ]),
                )
                .select('searchTypeSyncs.propertyId'),
            ),
          ]),
        )
        .leftJoin('people', 'people.userId', 'properties.userId')
        .$if(userId !== undefined, (qb) => qb.where('properties.userId', '=', userId ?? ''))
        .select(['properties.id as propertyId', 'properties.userId'])
        .select(
          sql<number>`row_number() OVER (PARTITION BY properties.user_id
            ORDER BY people.selected_property_id IS DISTINCT FROM properties.id, property_syncs.last_synced_at ASC NULLS FIRST, properties.id)`.as(
            'place',
          ),
        )
      return roundRobin(db, due)
    },

    /** Creates one search type's row if missing; the backfill goes back to `backfillTo`. */
    async ensureType(propertyId: number, searchType: SearchType, backfillTo: IsoDate): Promise<void> {
      await db
        .insertInto('searchTypeSyncs')
        .values({ propertyId, searchType, backfillTo })
        .onConflict((oc) => oc.columns(['propertyId', 'searchType']).doNothing())
        .execute()
    },

    /** Creates one search type's row if missing, or lets its backfill go back further, to `backfillTo`. */
    async reachBack(propertyId: number, searchType: SearchType, backfillTo: IsoDate): Promise<void> {
      await db
        .insertInto('searchTypeSyncs')
        .values({ propertyId, searchType, backfillTo })
        .onConflict((oc) =>
          oc
            .columns(['propertyId', 'searchType'])
            .doUpdateSet({ backfillTo: sql`least(search_type_syncs.backfill_to, ${backfillTo}::date)` }),
        )
        .execute()
    },

    /** Ends backfills at `first`: Google no longer has older days. */
    async keepBackfillsWithin(propertyId: number, first: IsoDate): Promise<void> {
      const end = sql<IsoDate>`least(${first}::date, backfilled_from)`
      await db
        .updateTable('searchTypeSyncs')
        .set({ backfillTo: end })
        .where('propertyId', '=', propertyId)
        .where('backfillTo', '<', end)
        .execute()
    },

    coverages: async (propertyId: number): Promise<TypeCoverage[]> => (await coveragesOf([propertyId])).get(propertyId) ?? [],

    /** Same for many properties; leaves out those that were never synced. */
    coveragesOf,

    /**
     * Notes that days are stored: moves the edges of the coverage and raises the facts version, under which answers are cached. Edges only
     * ever widen, so repeating it is harmless. `final` is the last day Google declared complete; all days from there to today are stored
     * too.
     */
    async advance(
      propertyId: number,
      searchType: SearchType,
      edges: { from?: IsoDate; through?: IsoDate; final?: IsoDate; factsChanged: boolean },
      now: Date,
    ): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('searchTypeSyncs')
          .set({
            ...(edges.from && { backfilledFrom: sql`least(backfilled_from, ${edges.from}::date)` }),
            ...(edges.through && { fetchedThrough: sql`greatest(fetched_through, ${edges.through}::date)` }),
            ...(edges.final && { finalThrough: sql`greatest(final_through, ${edges.final}::date)`, caughtUpAt: now }),
          })
          .where('propertyId', '=', propertyId)
          .where('searchType', '=', searchType)
          .execute()
        await trx
          .insertInto('propertySyncs')
          .values({
            propertyId,
            state: 'ok',
            lastSyncedAt: now,
            factsVersion: 1,
            completeThrough: searchType === 'web' ? (edges.final ?? null) : null,
          })
          .onConflict((oc) =>
            oc.column('propertyId').doUpdateSet({
              state: 'ok',
              message: null,
              retryAt: null,
              lastSyncedAt: now,
              ...(edges.factsChanged && { factsVersion: sql`property_syncs.facts_version + 1` }),
              ...(searchType === 'web' &&
                edges.final && {
                  // Earlier imported files may end with days that weren't final: Google's first days overrule them.
                  completeThrough: edges.from ? edges.final : sql`greatest(property_syncs.complete_through, ${edges.final}::date)`,
                }),
            }),
          )
          .execute()
      })
    },

    /**
     * Notes that some missed days are stored while later ones are still to be fetched: nobody requests them again, but nothing is complete,
     * and the property not synced, before the last of them.
     */
    async advanceFresh(propertyId: number, searchType: SearchType, edges: { through: IsoDate; final: IsoDate }): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('searchTypeSyncs')
          .set({
            fetchedThrough: sql`greatest(fetched_through, ${edges.through}::date)`,
            finalThrough: sql`greatest(final_through, ${edges.final}::date)`,
          })
          .where('propertyId', '=', propertyId)
          .where('searchType', '=', searchType)
          .execute()
        await trx
          .updateTable('propertySyncs')
          .set({ state: 'ok', message: null, retryAt: null, factsVersion: sql`facts_version + 1` })
          .where('propertyId', '=', propertyId)
          .execute()
      })
    },

    /** Notes that the days stored so far have their search appearances. */
    async appearancesStored(propertyId: number, searchType: SearchType): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable('searchTypeSyncs')
          .set({ appearancesDue: false })
          .where('propertyId', '=', propertyId)
          .where('searchType', '=', searchType)
          .execute()
        await trx
          .updateTable('propertySyncs')
          .set({ factsVersion: sql`facts_version + 1` })
          .where('propertyId', '=', propertyId)
          .execute()
      })
    },

    /** The next slice begins a round: it requests new and revised days, however recently the last one did. */
    async newRound(propertyId: number): Promise<void> {
      await db.updateTable('searchTypeSyncs').set({ caughtUpAt: null }).where('propertyId', '=', propertyId).execute()
    },

    async typesProbed(propertyId: number, now: Date): Promise<void> {
      await db
        .insertInto('propertySyncs')
        .values({ propertyId, typesProbedAt: now })
        .onConflict((oc) => oc.column('propertyId').doUpdateSet({ typesProbedAt: now }))
        .execute()
    },

    /** Notes why the sync stopped and when it continues; null waits for a person. */
    async stopped(propertyId: number, problem: { state: ConnectionState; message: string | null; retryAt: Date | null }): Promise<void> {
      await db
        .insertInto('propertySyncs')
        .values({ propertyId, ...problem })
        .onConflict((oc) => oc.column('propertyId').doUpdateSet(problem))
        .execute()
    },

    /** The person asked: ends the wait. */
    async clearWait(propertyId: number): Promise<void> {
      await db.updateTable('propertySyncs').set({ retryAt: null }).where('propertyId', '=', propertyId).execute()
    },

    /** The person reconnected: everything of theirs to sync is due now, and access is no longer missing. */
    async endWaits(userId: string, { now, runningUntil }: { now: Date; runningUntil: Date }): Promise<void> {
      const theirs = syncedProperties(db).where('properties.userId', '=', userId).select('properties.id')
      const mended = sql`state IN ('token_revoked', 'scope_missing')`
      await db
        .updateTable('propertySyncs')
        .set({
          state: sql<ConnectionState>`CASE WHEN NOT ${mended} THEN state WHEN last_synced_at IS NULL THEN 'never' ELSE 'ok' END`,
          message: sql<string | null>`CASE WHEN NOT ${mended} THEN message END`,
          retryAt: now,
          runningUntil,
        })
        .where('propertyId', 'in', theirs)
        .execute()
    },
  }
}
export type SyncStore = ReturnType<typeof createSyncStore>
