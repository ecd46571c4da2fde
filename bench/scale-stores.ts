import { sql } from 'kysely'
import { z } from 'zod'
import { openFor } from './scale-people.ts'

/** The content of both stores. */
export type Kept = {
  /** Facts tables with rows, largest first. */
  facts: { table: string; rows: number; bytes: number; parts: number }[]
  /** Bytes of the whole database, and of its largest tables with their indexes. */
  postgres: { bytes: number; tables: { table: string; rows: number; bytes: number }[] }
  /** Rows visible to readers, up to a day. */
  currentRows: number
}

const factRow = z.object({ table: z.string(), rows: z.coerce.number(), bytes: z.coerce.number(), parts: z.coerce.number() })
const tableRow = z.object({ table: z.string(), rows: z.coerce.number(), bytes: z.coerce.number() })

/** Reads the stores of a server that isn't running. */
export async function keptIn(dataDir: string, through: string): Promise<Kept> {
  const { clickhouse, db, close } = await openFor(dataDir)
  try {
    const parts = await clickhouse.query({
      query: `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
        WHERE active AND database = currentDatabase() AND (table LIKE 'facts%' OR table LIKE 'window%') GROUP BY table ORDER BY bytes DESC`,
      format: 'JSONEachRow',
    })
    const current = await clickhouse.query({
      query: `SELECT sum(rows) AS rows FROM facts_current FINAL WHERE grain <> 'hour' AND type = 'web' AND date <= '${through}'`,
      format: 'JSONEachRow',
    })
    const [seen] = z.array(z.object({ rows: z.coerce.number() })).parse(await current.json())
    await sql`ANALYZE`.execute(db)
    const tables = await sql`SELECT n.nspname || '.' || relname AS "table", reltuples AS rows, pg_total_relation_size(c.oid) AS bytes
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY bytes DESC LIMIT 8`.execute(db)
    const size = await sql<{ bytes: string }>`SELECT pg_database_size(current_database()) AS bytes`.execute(db)
    return {
      facts: z.array(factRow).parse(await parts.json()),
      currentRows: seen?.rows ?? 0,
      postgres: { bytes: Number(size.rows[0]?.bytes), tables: z.array(tableRow).parse(tables.rows) },
    }
  } finally {
    await close()
  }
}
