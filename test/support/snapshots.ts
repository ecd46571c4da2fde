import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Where a server stores everything: a database on the run's PostgreSQL, and a directory with its key and its facts. */
export type Home = { databaseUrl: string; dataDir: string }

/** A home that is removed with everything in it when no longer needed. */
export type OwnHome = Home & { remove(): Promise<void> }

/** A starting state of many files: created once per run, by the first that needs it, and copied for each of them. */
export type Snapshot = {
  name: string
  /**
   * Brings a new home into that state and leaves nothing open; without a URL, its database belongs in its directory. Absent: it stays
   * empty.
   */
  make?: (home: Pick<Home, 'dataDir'> & Partial<Home>) => Promise<void>
}

/** Marks, in a data directory, that its database is on the run's server. */
const note = 'database.url'

/** A new home in the given state. */
export async function openHome(snapshot: Snapshot): Promise<OwnHome> {
  const template = await templateOf(snapshot)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-test-'))
  const database = `home_${path.basename(dataDir).replaceAll(/\W/g, '_').toLowerCase()}_${process.pid}`
  await Promise.all([
    cp(template.dataDir, dataDir, { recursive: true }),
    // Copied as files, not through the log: that takes a fifth of the time.
    administer((admin) => admin.query(`CREATE DATABASE ${database} TEMPLATE ${template.database} STRATEGY file_copy`)),
  ])
  const databaseUrl = databaseAt(database)
  await noteDatabase(dataDir, databaseUrl)
  return {
    databaseUrl,
    dataDir,
    async remove() {
      await drop(database)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Connections that are being closed get half a second to end by themselves: cut off, they would report an error to nobody. */
async function drop(database: string): Promise<void> {
  await administer(async (admin) => {
    for (let left = 20; left > 0; left--) {
      const { rows } = await admin.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [database])
      if (rows.length === 0) break
      await sleep(25)
    }
    await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
  })
}

/** Puts a home in the given state into a directory, with a PostgreSQL of its own, like `npm start`. */
export async function fillDirectory({ name, make }: Snapshot, dataDir: string): Promise<void> {
  const template = await madeOnce(`${name}_embedded`, async (templateDir) => make?.({ dataDir: templateDir }))
  await cp(template, dataDir, { recursive: true })
}

/** Records in a data directory where its database is. */
export const noteDatabase = (dataDir: string, databaseUrl: string): Promise<void> => writeFile(path.join(dataDir, note), databaseUrl)

/** The URL of a data directory's database, if that is on the run's server. */
export async function databaseNotedIn(dataDir: string): Promise<string | undefined> {
  const file = path.join(dataDir, note)
  return existsSync(file) ? readFile(file, 'utf8') : undefined
}

export const urlOf = (socketDir: string, password: string): string =>
  `postgresql://ranklark:${password}@${encodeURIComponent(socketDir)}:5432/postgres`

/** The state that is copied. */
async function templateOf({ name, make }: Snapshot): Promise<{ database: string; dataDir: string }> {
  const database = `snapshot_${name}`
  const dataDir = await madeOnce(name, async (directory, admin) => {
    // Another worker started it and failed: its test has said why.
    await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${database}`)
    await noteDatabase(directory, databaseAt(database))
    await make?.({ databaseUrl: databaseAt(database), dataDir: directory })
  })
  return { database, dataDir }
}

/** The directory with that name, created by the first caller; others wait for it. */
async function madeOnce(name: string, make: (directory: string, admin: pg.PoolClient) => Promise<void>): Promise<string> {
  const directory = path.join(setting('TEST_SNAPSHOTS'), name)
  const ready = `${directory}.ready`
  if (existsSync(ready)) return directory
  await administer(async (admin) => {
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [name])
    try {
      if (existsSync(ready)) return
      await rm(directory, { recursive: true, force: true })
      await mkdir(directory, { recursive: true })
      await make(directory, admin)
      await writeFile(ready, '')
    } finally {
      await admin.query('SELECT pg_advisory_unlock(hashtext($1))', [name])
    }
  })
  return directory
}

/** Connections that a worker keeps: opening one takes as long as copying a database. They don't keep it from ending. */
let administration: pg.Pool | undefined

function openAdministration(): pg.Pool {
  const pool = new pg.Pool({ connectionString: setting('TEST_POSTGRES'), idleTimeoutMillis: 0, allowExitOnIdle: true })
  // PostgreSQL may end first.
  pool.on('error', () => {})
  return pool
}

async function administer<T>(work: (admin: pg.PoolClient) => Promise<T>): Promise<T> {
  administration ??= openAdministration()
  const admin = await administration.connect()
  try {
    return await work(admin)
  } finally {
    admin.release()
  }
}

function databaseAt(name: string): string {
  const url = new URL(setting('TEST_POSTGRES'))
  url.pathname = `/${name}`
  return url.href
}

/** What `test/setup/postgres.ts` tells the tests of its run. */
function setting(name: 'TEST_POSTGRES' | 'TEST_SNAPSHOTS'): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: the project of this test lacks test/setup/postgres.ts as its globalSetup`)
  return value
}
