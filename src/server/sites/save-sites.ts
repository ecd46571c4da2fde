import { type RawBuilder, sql } from 'kysely'
import { hasRoomFor, longestPropertyName } from '../../core/accounts/property-limit.ts'
import { isReadable } from '../../core/accounts/site-access.ts'
import type { Db } from '../database/open.ts'
import type { SiteEntry } from '../google/search-console.ts'

/** The tables whose rows show that a property was used. */
export const usesOfProperties = [
  'property_syncs',
  'search_type_syncs',
  'hour_syncs',
  'imports',
  'annotations',
  'alert_conditions',
  'alert_watches',
  'alert_baselines',
  'site_baselines',
  'alerts',
  'notifications',
  'delivery_news',
  'report_client_properties',
  'report_schedules',
  'report_runs',
  'report_shares',
  'shown_lately',
] as const

/**
 * Deletes Google's properties with other names that were never monitored, imported into or used for anything else: an account could collect
 * any number of them, because Google lists up to a thousand at a time, and different ones after somebody adds and removes some there.
 */
export async function forgetUnused(trx: Db, userId: string, names: readonly string[]): Promise<void> {
  const isUsed = usesOfProperties.map((table) => `EXISTS (SELECT FROM ${table} AS used WHERE used.property_id = properties.id)`)
  await sql`DELETE FROM properties WHERE user_id = ${userId} AND kind = 'google' AND name <> ALL(${names}::text[])
    AND NOT monitored AND monitored_at IS NULL AND paused_at IS NULL AND tags = '{}' AND brand_terms IS NULL AND holiday_country IS NULL AND NOT (${sql.raw(isUsed.join(' OR '))})`.execute(
    trx,
  )
}

/** Those that the account has already, or has room for. */
async function thoseWithRoom(trx: Db, userId: string, sites: readonly SiteEntry[]): Promise<SiteEntry[]> {
  const rows = await trx.selectFrom('properties').where('userId', '=', userId).select('name').execute()
  const names = new Set(rows.map(({ name }) => name))
  let letters = rows.reduce((sum, { name }) => sum + name.length, 0)
  return sites.filter(({ siteUrl: name }) => {
    if (names.has(name)) return true
    if (name.length > longestPropertyName || !hasRoomFor(name, { count: names.size, letters })) return false
    names.add(name)
    letters += name.length
    return true
  })
}

/** Writes only what changes, in two statements: an account lists a thousand properties each time it is asked. Returns how many had room. */
export async function saveSites(db: Db, userId: string, listed: readonly SiteEntry[]): Promise<number> {
  const sites = await thoseWithRoom(db, userId, listed)
  const levels = new Map(sites.map((site) => [site.siteUrl, site.permissionLevel]))
  const { readable = [], unreadable = [] } = Object.groupBy(levels, ([, permissionLevel]) =>
    isReadable({ kind: 'google', permissionLevel }) ? 'readable' : 'unreadable',
  )
  const save = (some: typeof readable, changed: RawBuilder<unknown>) =>
    sql`INSERT INTO properties (user_id, name, kind, permission_level)
      SELECT ${userId}, name, 'google', level
      FROM unnest(${some.map(([name]) => name)}::text[], ${some.map(([, level]) => level)}::text[]) AS listed (name, level) ORDER BY name
      ON CONFLICT (user_id, name) DO UPDATE ${changed}`.execute(db)
  // An imported property with this name becomes Google's: its older days stay, newer ones are synced.
  await save(
    readable,
    sql`SET kind = 'google', permission_level = excluded.permission_level, detached_at = NULL
      WHERE properties.kind <> 'google' OR properties.detached_at IS NOT NULL
        OR properties.permission_level IS DISTINCT FROM excluded.permission_level`,
  )
  // Not if Google would deliver none.
  await save(
    unreadable,
    sql`SET permission_level = CASE WHEN properties.kind = 'google' THEN excluded.permission_level END, detached_at = NULL
      WHERE properties.detached_at IS NOT NULL
        OR properties.kind = 'google' AND properties.permission_level IS DISTINCT FROM excluded.permission_level`,
  )
  return sites.length
}
