import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import type { Log } from './log.ts'
import { limitStatements } from './postgres.ts'

export type { Migration }

/** A failed migration; the message names it and says why. The database contains none of it. */
class MigrationError extends Error {
  override name = 'MigrationError'
}

/**
 * Updates the database to the newest migration, forward only. All pending migrations share one transaction, so a failure leaves the
 * database as it was; Kysely's lock makes a second process wait and then find nothing to do.
 * @param migrations by name; names sort in the order they apply (`0001-accounts`)
 * @returns the names applied now
 * @throws MigrationError
 */
export async function migrate<DB>(db: Kysely<DB>, migrations: Record<string, Migration>, log: Log): Promise<string[]> {
  if (await isNewest(db, Object.keys(migrations))) return []
  const { error, results = [] } = await db.connection().execute(async (connection) => {
    // For this connection: another process may migrate first, and this one waits for it.
    await sql`SELECT set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false)`.execute(connection)
    try {
      return await new Migrator({ db: connection, provider: { getMigrations: async () => migrations } }).migrateToLatest()
    } finally {
      await sql`RESET statement_timeout`.execute(connection)
      await sql`RESET lock_timeout`.execute(connection)
      await sql.raw(limitStatements).execute(connection)
    }
  })
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error')?.migrationName
    const reason = error instanceof Error ? error.message : String(error)
    throw new MigrationError(
      failed === undefined ? `Database migrations could not run: ${reason}` : `Database migration ${failed} failed: ${reason}`,
      {
        cause: error,
      },
    )
  }
  const applied = results.map((result) => result.migrationName)
  if (applied.length > 0) log.info({ applied }, 'database migrated')
  return applied
}

/** Whether exactly these are applied, as at nearly every start. Kysely would read every column of every table three times to find out. */
async function isNewest<DB>(db: Kysely<DB>, names: readonly string[]): Promise<boolean> {
  const { rows: tables } = await sql`SELECT 1 WHERE to_regclass(${DEFAULT_MIGRATION_TABLE}) IS NOT NULL`.execute(db)
  if (tables.length === 0) return false
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  return applied.size === names.length && names.every((name) => applied.has(name))
}
