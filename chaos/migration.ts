import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrations } from '../src/server/database/migrations/index.ts'
import { openDatabase } from '../src/server/database/open.ts'
import { createLog } from '../src/server/platform/log.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { openPostgres } from '../src/server/platform/postgres.ts'
import { databaseUrlOf, type Sql } from '../test/support/stores.ts'
import type { Dice } from './dice.ts'
import { freePort } from './free-port.ts'
import { back } from './installation.ts'
import type { Journal } from './journal.ts'
import { commandOf, familyOf } from './process-tree.ts'
import { type Service, supervise } from './service.ts'
import { patientSql } from './stored.ts'

export type MigrationOptions = {
  directory: string
  env: Record<string, string>
  dice: Dice
  journal: Journal
  kills: number
  deadline: number
}

/** Kills of one start, until it is let through. */
const mostInARow = 3
/** A first start takes some seconds. */
const startMs = 4_500
const person = 'who-was-there-before'

/** Kills whatever runs while a server creates its stores, or upgrades those of an older version. */
export async function duringMigration({ directory, env, dice, journal, kills, deadline }: MigrationOptions): Promise<void> {
  let wanted = ''
  for (let round = 0; round === 0 || (journal.kills() < kills && Date.now() < deadline && journal.mayGoOn()); round++) {
    await journal.noting(async () => {
      const dataDir = path.join(directory, `migration-${round}`)
      // The first round is the reference for all others, and has no kill.
      const version = round === 0 ? 0 : dice.whole(0, Object.keys(migrations).length - 1)
      if (version > 0) await makeOlder(dataDir, version)
      const port = await freePort()
      const url = `http://localhost:${port}`
      const logFile = path.join(directory, 'migration.log')
      const server = supervise({ name: 'server', env: { ...env, PORT: String(port), BASE_URL: url, DATA_DIR: dataDir }, logFile })
      server.start()
      const begun = performance.now()
      const inARow = round === 0 ? 0 : Math.min(dice.whole(1, mostInARow), kills - journal.kills())
      for (let times = 0; times < inARow; times++) await strike(server, version, dice, journal)
      await back({ url, services: [server] })
      if (round > 0) journal.cameBack(performance.now() - begun)
      const sql = patientSql(() => databaseUrlOf(dataDir))
      const schema = await schemaOf(sql)
      if (round === 0) wanted = schema
      else if (schema !== wanted) journal.found(`after kills during the start from version ${version}: ${firstDifference(schema, wanted)}`)
      if (version > 0 && (await sql('SELECT 1 FROM users WHERE id = $1', [person])).length !== 1)
        journal.found(`after kills during the start from version ${version} an account that existed before is gone`)
      if ((await server.stop()) !== 0) journal.found('the server did not exit cleanly after a migration')
      await rm(dataDir, { recursive: true, force: true })
    })
  }
}

/** Kills the server, or any process it has started, at some moment during startup. */
async function strike(server: Service, version: number, dice: Dice, journal: Journal): Promise<void> {
  await sleep(dice.whole(50, startMs))
  const pid = server.pid()
  if (pid === undefined || server.isReady()) return
  const family = familyOf(pid)
  const victim = dice.chance(0.5) ? pid : dice.pick(family)
  const command = commandOf(victim)
  const isServer = victim === pid
  try {
    process.kill(victim, 'SIGKILL')
  } catch {
    // It ended just before.
    return
  }
  const name = isServer ? 'server' : /initdb/.test(command) ? 'initdb' : /postgres/.test(command) ? 'PostgreSQL' : 'a helper'
  journal.killed({ victim: name, activity: version === 0 ? 'first start' : 'migration', running: [] })
}

/** The database as left by an older version, with a user in it. */
async function makeOlder(dataDir: string, version: number): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const log = createLog('silent')
  const postgres = await openPostgres({ dataDir, log, onLost: () => {} })
  await migrate(openDatabase(postgres.pool), Object.fromEntries(Object.entries(migrations).slice(0, version)), log)
  await postgres.pool.query(
    "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ($1, 'Before', 'before@example.test', true, now(), now())",
    [person],
  )
  await postgres.close()
}

/** Every table, column, index and constraint of ours, and which migrations ran, as text. */
async function schemaOf(sql: Sql): Promise<string> {
  const rows = await sql<{ line: string }>(
    `SELECT line FROM (
       SELECT format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
         FROM information_schema.columns WHERE table_schema = 'public'
       UNION ALL SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT format('rule %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT format('sequence %s', sequencename) FROM pg_sequences WHERE schemaname = 'public'
     ) AS everything ORDER BY line`,
  )
  return rows.map(({ line }) => line).join('\n')
}

function firstDifference(found: string, wanted: string): string {
  const [there, expected] = [new Set(found.split('\n')), new Set(wanted.split('\n'))]
  const missing = [...expected].find((line) => !there.has(line))
  return missing === undefined ? `there is more than should be: ${[...there].find((line) => !expected.has(line))}` : `missing: ${missing}`
}
