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
  /** Brings a new home into that state and leaves nothing open; without an address its database is to be in its directory. Absent: it stays empty. */
  make?: (home: Pick<Home, 'dataDir'> & Partial<Home>) => Promise<void>
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
  await noteDatabase(dataDir, databaseUrl)
  return {
    databaseUrl,
    dataDir,
    async remove() {
      await administer((admin) => admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Puts a home in the given state into a directory, with a PostgreSQL of its own, as `npm start` keeps it. */
export async function fillDirectory({ name, make }: Snapshot, dataDir: string): Promise<void> {
  const template = await madeOnce(`${name}_embedded`, async (templateDir) => make?.({ dataDir: templateDir }))
  await cp(template, dataDir, { recursive: true })
}

/** Says in a data directory where its database is. */
export const noteDatabase = (dataDir: string, databaseUrl: string): Promise<void> => writeFile(path.join(dataDir, note), databaseUrl)

/** The address of the database that belongs to a data directory, when that lies on the run's server. */
export async function databaseNotedIn(dataDir: string): Promise<string | undefined> {
  const file = path.join(dataDir, note)
  return existsSync(file) ? readFile(file, 'utf8') : undefined
}

export const urlOf = (socketDir: string, password: string): string =>
  `postgresql://ranklark:${password}@${encodeURIComponent(socketDir)}:5432/postgres`

/** The copied-from state. */
async function templateOf({ name, make }: Snapshot): Promise<{ database: string; dataDir: string }> {
  const database = `snapshot_${name}`
  const dataDir = await madeOnce(name, async (directory, admin) => {
    // Another one began it and failed: its test has said why.
    await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${database}`)
    await noteDatabase(directory, databaseAt(database))
    await make?.({ databaseUrl: databaseAt(database), dataDir: directory })
  })
  return { database, dataDir }
}

/** The directory of that name, made by whoever comes first; whoever comes second waits for it. */
async function madeOnce(name: string, make: (directory: string, admin: pg.Client) => Promise<void>): Promise<string> {
  const directory = path.join(setting('TEST_SNAPSHOTS'), name)
  const ready = `${directory}.ready`
  if (existsSync(ready)) return directory
  await administer(async (admin) => {
    await admin.query('SELECT pg_advisory_lock(hashtext($1))', [name])
    if (existsSync(ready)) return
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true })
    await make(directory, admin)
    await writeFile(ready, '')
  })
  return directory
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
