import { sql } from 'kysely'
import type { IsoDate } from '../../contract/common.ts'
import { type PlanId, planId, type Property } from '../../contract/user.ts'
import { isReadable } from '../../core/accounts/site-access.ts'
import { holdPerson, type ReportProperty, type Requester } from '../accounts/service.ts'
import { recordEvents } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import type { SiteEntry } from '../google/search-console.ts'
import { forgetUnused, saveSites } from './save-sites.ts'

export type PropertyRow = {
  id: number
  name: string
  kind: Property['kind']
  monitored: boolean
  permissionLevel: Property['permissionLevel']
  pausedAt: Date | null
}

/** A property with its list data: its tags, and what reports need. */
export type ListedProperty = PropertyRow & { tags: string[]; completeThrough: IsoDate | null; factsVersion: number }

/** A person and the Google account a request was made with. */
export type Account = { userId: string; googleSub: string }

export type OwnedName = { userId: string; name: string }

const columns = ['id', 'name', 'kind', 'monitored', 'permissionLevel', 'pausedAt'] as const

export function createSitesStore(db: Db) {
  return {
    /** People's properties by owner: monitored ones first, then by name. */
    async lists(userIds: readonly string[]): Promise<Map<string, PropertyRow[]>> {
      const rows = await db
        .selectFrom('properties')
        .where(sql<boolean>`user_id = any(${[...userIds]})`)
        .where('detachedAt', 'is', null)
        .select([...columns, 'userId'])
        .orderBy('monitored', 'desc')
        .orderBy('name')
        .execute()
      const lists = new Map<string, PropertyRow[]>()
      for (const { userId, ...row } of rows) {
        const list = lists.get(userId)
        if (list) list.push(row)
        else lists.set(userId, [row])
      }
      return lists
    },

    /** All of a person's properties with their list data: monitored ones first, then by name. */
    listed: (userId: string): Promise<ListedProperty[]> =>
      db
        .selectFrom('properties')
        .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
        .where('userId', '=', userId)
        .where('detachedAt', 'is', null)
        .select([...columns, 'tags', 'propertySyncs.completeThrough'])
        .select(({ fn, val }) => fn.coalesce('propertySyncs.factsVersion', val(0)).as('factsVersion'))
        .orderBy('monitored', 'desc')
        .orderBy('name')
        .execute(),

    /** Replaces a property's tags. Returns false if they have no property with this name. */
    async setTags(userId: string, name: string, tags: readonly string[]): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('properties')
        .set({ tags: [...tags] })
        .where('userId', '=', userId)
        .where('name', '=', name)
        .where('detachedAt', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Properties' data for reports, each requested by owner and name; leaves out those that aren't theirs. */
    async reportsOn(asked: readonly OwnedName[]): Promise<(ReportProperty & { userId: string })[]> {
      const { rows } = await sql<ReportProperty & { userId: string }>`SELECT p.user_id, p.id, p.name, s.complete_through,
          coalesce(s.facts_version, 0) AS facts_version
        FROM unnest(${asked.map(({ userId }) => userId)}::text[], ${asked.map(({ name }) => name)}::text[]) AS asked (user_id, name)
        JOIN properties p ON p.user_id = asked.user_id AND p.name = asked.name AND p.detached_at IS NULL
        LEFT JOIN property_syncs s ON s.property_id = p.id`.execute(db)
      return rows
    },

    /**
     * Makes the person's Google properties match the account's: new ones are added, returning ones are reattached with their facts, missing
     * ones lose their permission but stay if they were ever used. A list arriving after the account was disconnected changes nothing.
     * Returns how many there was no room for, the last ones of the list.
     */
    async saveGoogleSites({ userId, googleSub }: Account, sites: readonly SiteEntry[]): Promise<number> {
      return db.transaction().execute(async (trx) => {
        if (!(await isConnected(trx, { userId, googleSub }))) return 0
        const names = sites.map((site) => site.siteUrl)
        await forgetUnused(trx, userId, names)
        const saved = await saveSites(trx, userId, sites)
        await sql`UPDATE properties SET permission_level = NULL WHERE user_id = ${userId} AND kind = 'google'
          AND permission_level IS NOT NULL AND name <> ALL(${names}::text[])`.execute(trx)
        return sites.length - saved
      })
    },

    /** Adds one property of the account to those in its list. Returns false if there is no room for it. */
    async addGoogleSite(account: Account, site: SiteEntry): Promise<boolean> {
      return db
        .transaction()
        .execute(async (trx) => !(await isConnected(trx, account)) || (await saveSites(trx, account.userId, [site])) > 0)
    },

    /** On disconnecting, Google's properties disappear from the lists; their facts stay for a later return. */
    async detachGoogleSites(userId: string, now: Date, transaction: Db): Promise<void> {
      // Locks the person's row first, as in `monitor`, so that the two never deadlock.
      await transaction.updateTable('people').set({ selectedPropertyId: null }).where('userId', '=', userId).execute()
      await transaction
        .updateTable('properties')
        .set({ detachedAt: now, monitored: false, pausedAt: null })
        .where('userId', '=', userId)
        .where('kind', '=', 'google')
        .execute()
    },

    /**
     * Selects the first of these properties and monitors all of them; with `only`, stops monitoring the others. Locks the person's row, so
     * that two requests can't both take the last place. Changes nothing if one isn't theirs, there are too many, or Google gives no
     * access to an unmonitored one. While the limit is too low for all of somebody's sites, one that makes room for another is paused, not
     * dropped; a choice that leaves room ends every pause, so that nothing resumes that wasn't chosen.
     */
    async monitor(
      requester: Requester,
      names: readonly string[],
      options: { only: boolean; refuse: (plan: PlanId, sites: number) => string | null; now: Date },
    ): Promise<{ newlyMonitored: PropertyRow[] } | { unknown: string } | { unreadable: string[] } | { refusal: string }> {
      return db.transaction().execute(async (trx) => {
        const userId = requester.id
        const person = await holdPerson(trx, requester)
        const rows = await trx
          .selectFrom('properties')
          .where('userId', '=', userId)
          .where('detachedAt', 'is', null)
          .select(columns)
          .execute()
        const chosen = new Set(names)
        const known = new Map(rows.map((row) => [row.name, row]))
        const unknown = names.find((name) => !known.has(name))
        const first = known.get(names[0] ?? '')
        if (unknown !== undefined || !first) return { unknown: unknown ?? '' }

        const staying = options.only ? [] : rows.filter((row) => row.monitored && !chosen.has(row.name))
        const newlyMonitored = rows.filter((row) => chosen.has(row.name) && !row.monitored)
        // Choosing again among monitored sites takes no further place.
        const refusal = newlyMonitored.length === 0 ? null : options.refuse(person.plan, staying.length + chosen.size)
        if (refusal !== null) return { refusal }
        const unreadable = newlyMonitored.filter((row) => !isReadable(row)).map(({ name }) => name)
        if (unreadable.length > 0) return { unreadable }
        const monitored = [...staying, ...rows.filter((row) => chosen.has(row.name))].map((row) => row.id)
        const isExchange = options.refuse(person.plan, monitored.length + 1) !== null && rows.some((row) => row.pausedAt !== null)
        await trx
          .updateTable('properties')
          .set({ monitored: false, pausedAt: isExchange ? options.now : null })
          .where('userId', '=', userId)
          .where(({ or, eb }) => or([eb('monitored', '=', true), ...(options.only && !isExchange ? [eb('pausedAt', 'is not', null)] : [])]))
          .where(sql<boolean>`id <> all(${monitored})`)
          .execute()
        await trx
          .updateTable('properties')
          .set({ monitored: true, pausedAt: null, monitoredAt: sql<Date>`CASE WHEN monitored THEN monitored_at ELSE ${options.now} END` })
          .where('userId', '=', userId)
          .where(sql<boolean>`id = any(${monitored})`)
          .execute()
        await trx.updateTable('people').set({ selectedPropertyId: first.id }).where('userId', '=', userId).execute()
        const left = rows.filter((row) => row.monitored && !monitored.includes(row.id))
        await recordAll(trx, userId, 'property-monitored', newlyMonitored, options.now)
        await recordAll(trx, userId, isExchange ? 'property-paused' : 'property-unmonitored', left, options.now)
        return { newlyMonitored }
      })
    },

    /**
     * Pauses sites beyond the limit in force, or resumes those within it: the selected property first, then the longest monitored. Returns
     * the resumed ones. Locks the person's row as in `monitor`, so that whichever comes second sees the first one's result.
     */
    async fitToLimit(userId: string, siteLimit: (plan: PlanId) => number, now: Date): Promise<PropertyRow[]> {
      return db.transaction().execute(async (trx) => {
        const person = await trx
          .selectFrom('people')
          .where('userId', '=', userId)
          .where('closedAt', 'is', null)
          .select(['plan', 'selectedPropertyId'])
          .forUpdate()
          .executeTakeFirst()
        if (!person) return []
        const rows = await trx
          .selectFrom('properties')
          .where('userId', '=', userId)
          .where('detachedAt', 'is', null)
          .where(({ or, eb }) => or([eb('monitored', '=', true), eb('pausedAt', 'is not', null)]))
          .select(columns)
          .orderBy(({ eb }) => eb('id', 'is not distinct from', person.selectedPropertyId), 'desc')
          .orderBy(({ fn }) => fn.coalesce('monitoredAt', 'createdAt'))
          .orderBy('id')
          .execute()
        const monitored = rows.filter((row) => row.monitored)
        const limit = siteLimit(person.plan)
        const surplus = monitored.slice(limit)
        const resumed = rows.filter((row) => !row.monitored).slice(0, Math.max(0, limit - monitored.length))
        const change = async (changed: readonly PropertyRow[], values: { monitored: boolean; pausedAt: Date | null }) => {
          const ids = changed.map((row) => row.id)
          if (ids.length > 0) await trx.updateTable('properties').set(values).where('id', 'in', ids).execute()
        }
        await change(surplus, { monitored: false, pausedAt: now })
        await change(resumed, { monitored: true, pausedAt: null })
        await recordAll(trx, userId, 'property-paused', surplus, now)
        await recordAll(trx, userId, 'property-monitored', resumed, now)
        return resumed
      })
    },

    /** Everybody with more monitored sites than allowed, or with sites that could resume. */
    async misfits(siteLimit: (plan: PlanId) => number): Promise<string[]> {
      const limits = planId.options.map((plan) => sql`(${plan}, ${siteLimit(plan)}::float8)`)
      const { rows } = await sql<{ userId: string }>`SELECT people.user_id
        FROM people JOIN properties ON properties.user_id = people.user_id AND closed_at IS NULL AND detached_at IS NULL AND (monitored OR paused_at IS NOT NULL)
        JOIN (VALUES ${sql.join(limits)}) AS limits (plan, sites) ON limits.plan = people.plan
        GROUP BY people.user_id, limits.sites
        HAVING count(*) FILTER (WHERE monitored) > limits.sites OR bool_or(NOT monitored) AND count(*) FILTER (WHERE monitored) < limits.sites
        ORDER BY people.user_id`.execute(db)
      return rows.map((row) => row.userId)
    },
  }
}
export type SitesStore = ReturnType<typeof createSitesStore>

type PropertyEvent = 'property-monitored' | 'property-unmonitored' | 'property-paused'

function recordAll(trx: Db, userId: string, kind: PropertyEvent, properties: readonly PropertyRow[], now: Date): Promise<void> {
  const changes = properties.map(({ name }) => ({ kind, details: { property: name } }))
  return recordEvents(trx, userId, changes, now)
}

/** Whether this account is connected; stays true until the transaction ends. */
async function isConnected(transaction: Db, { userId, googleSub }: Account): Promise<boolean> {
  const row = await transaction
    .selectFrom('googleConnections')
    .where('userId', '=', userId)
    .where('googleSub', '=', googleSub)
    .select('userId')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}
