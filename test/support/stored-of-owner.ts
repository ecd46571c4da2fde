import type { Sql } from './stores.ts'

/** The server's own bookkeeping, written every minute and for each property. */
const notedByItself = [
  'digest_schedules',
  'alert_watches',
  'hour_syncs',
  'property_syncs',
  'search_type_syncs',
  'sync_leases',
  'leases',
  'delivery_news',
]

/** All stored rows of a user, by table. */
export type Stored = Record<string, string[]>

/** Reads all stored rows that belong to a property's owner, in one statement, as it runs often. */
export async function lookAtOwner(sql: Sql, site: string): Promise<() => Promise<Stored>> {
  const [owner] = await sql<{ id: string }>('SELECT user_id AS id FROM properties WHERE name = $1', [site])
  if (!owner) throw new Error(`Nobody has ${site}`)
  const columns = await sql<{ table: string; column: string }>(
    // What refers to both a user and a property belongs to the user.
    `SELECT table_name AS "table", max(column_name) AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('user_id', 'property_id') GROUP BY table_name`,
  )
  const ofProperties = '(SELECT id FROM properties WHERE user_id = $1)'
  const looks = columns
    .filter(({ table }) => !notedByItself.includes(table))
    .map(({ table, column }) => ({ table, whose: column === 'user_id' ? 'user_id = $1' : `property_id IN ${ofProperties}` }))
    .concat({ table: 'users', whose: 'id = $1' })
    .map(({ table, whose }) => `SELECT '${table}' AS "table", to_jsonb(t)::text AS row FROM "${table}" t WHERE ${whose}`)
  const statement = `${looks.join(' UNION ALL ')} ORDER BY 1, 2`
  return async () => {
    const stored: Stored = {}
    for (const { table, row } of await sql<{ table: string; row: string }>(statement, [owner.id])) (stored[table] ??= []).push(row)
    return stored
  }
}
