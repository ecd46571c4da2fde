import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'

/** Where a server keeps everything: a database on the run's PostgreSQL, and a directory with its key and its facts. */
export type Home = { databaseUrl: string; dataDir: string }

/** A home that is removed with everything in it when nobody needs it any more. */
export type OwnHome = Home & { remove(): Promise<void> }

/** A state that many files start from: made once per run, by whoever needs it first, and copied for each of them. */
export type Snapshot = {
  name: string
  /** Brings a new home into that state and leaves nothing open. Absent: it stays empty. */
  make?: (home: Home) => Promise<void>
}

/** What says, in a data directory, that its database is on the run's server. */
const note = 'database.url'

/** A home of its own in the given state. */
export async function openHome(snapshot: Snapshot): Promise<OwnHome> {
  const template = await templateOf(snapshot)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-test-'))
  const database = `home_${path.basename(dataDir).replaceAll(/\W/g, '_').toLowerCase()}_${process.pid}`
  await Promise.all([
    cp(template.dataDir, dataDir, { recursive: true }),
    administer((admin) => admin.query(`CREATE DATABASE ${database} TEMPLATE ${template.database}`)),
  ])
  const databaseUrl = databaseAt(database)
  await writeFile(path.join(dataDir, note), databaseUrl)
  return {
    databaseUrl,
    dataDir,
    async remove() {
      await administer((admin) => admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The address of the database that belongs to a data directory, when that lies on the run's server. */
export async function databaseNotedIn(dataDir: string): Promise<string | undefined> {
  const file = path.join(dataDir, note)
  return existsSync(file) ? readFile(file, 'utf8') : undefined
}

export const urlOf = (socketDir: string, password: string): string =>
  `postgresql://ranklark:${password}@${encodeURIComponent(socketDir)}:5432/postgres`

/** The copied-from state; whoever comes second waits for the first one to have made it. */
async function templateOf({ name, make }: Snapshot): Promise<{ database: string; dataDir: string }> {
  const database = `snapshot_${name}`
  const dataDir = path.join(setting('TEST_SNAPSHOTS'), name)
  const ready = path.join(setting('TEST_SNAPSHOTS'), `${name}.ready`)
  if (existsSync(ready)) return { database, dataDir }
  await administer(async (admin) => {
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [database])
    if (existsSync(ready)) return
    // Another one began it and failed: its test has said why.
    await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await rm(dataDir, { recursive: true, force: true })
    await mkdir(dataDir, { recursive: true })
    await admin.query(`CREATE DATABASE ${database}`)
    await writeFile(path.join(dataDir, note), databaseAt(database))
    await make?.({ databaseUrl: databaseAt(database), dataDir })
    await writeFile(ready, '')
  })
  return { database, dataDir }
}

async function administer<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: setting('TEST_POSTGRES') })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
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
