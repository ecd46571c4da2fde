import type pg from 'pg'

/** `name` as SQL writes it, with its schema unless that is the database's first. */
export type PostgresTable = { name: string; columns: string[]; needs: string[] }

/** Bookkeeping of the migrations and pg-boss: a restore makes them create it again. */
const own = ['kysely_migration', 'kysely_migration_lock', 'jobs.version', 'jobs.bam', 'jobs.warning', 'jobs.queue_stats']

/**
 * The tables of the app and of its jobs, each after those it refers to. Unlogged tables, which PostgreSQL itself empties after a crash,
 * hold nothing worth keeping; a partitioned table stands for its partitions.
 */
export async function postgresTables(client: pg.ClientBase): Promise<PostgresTable[]> {
  const { rows } = await client.query<PostgresTable>(`
    WITH tables AS (
      SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN (current_schema(), 'jobs') AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND NOT c.relispartition),
    references_ AS (
      SELECT DISTINCT coalesce(a.inhparent, f.conrelid) AS holder, coalesce(b.inhparent, f.confrelid) AS needs
      FROM pg_constraint f LEFT JOIN pg_inherits a ON a.inhrelid = f.conrelid LEFT JOIN pg_inherits b ON b.inhrelid = f.confrelid
      WHERE f.contype = 'f')
    SELECT t.oid::regclass::text AS name,
      (SELECT array_agg(quote_ident(attname) ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
      (SELECT coalesce(array_agg(r.needs::regclass::text), '{}') FROM references_ r WHERE r.holder = t.oid AND r.needs <> t.oid) AS needs
    FROM tables t ORDER BY name`)
  return inOrder(rows.filter(({ name }) => !own.includes(name)))
}

/** Each after those it needs. @throws Error if there is a cycle */
export function inOrder<T extends { name: string; needs: readonly string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  const done = new Set<string>()
  for (let left = [...tables]; left.length > 0; left = left.filter(({ name }) => !done.has(name))) {
    const names = new Set(left.map(({ name }) => name))
    const ready = left.filter(({ needs }) => !needs.some((need) => names.has(need)))
    if (ready.length === 0) throw new Error(`These tables refer to each other in a circle: ${[...names].join(', ')}`)
    for (const table of ready) done.add(table.name)
    ordered.push(...ready)
  }
  return ordered
}

/** Sequences and the last number from each; null: none yet. */
export async function sequencesOf(client: pg.ClientBase): Promise<Record<string, number | null>> {
  const { rows } = await client.query<{ name: string; last: number | null }>(`
    SELECT c.oid::regclass::text AS name, s.last_value::float8 AS last
    FROM pg_sequences s JOIN pg_namespace n ON n.nspname = s.schemaname JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = s.sequencename
    WHERE s.schemaname IN (current_schema(), 'jobs') ORDER BY name`)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}
