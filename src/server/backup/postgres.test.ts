import { expect, onTestFinished } from 'vitest'
import { blank, databaseTest, openTestDatabase } from '../../../test/support/database.ts'
import { migrations } from '../database/migrations/index.ts'
import { openDatabase } from '../database/open.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { copyIn, CopyOut } from '../platform/postgres-copy.ts'
import { openQueue } from '../platform/queue.ts'
import { type FactsHeld, holdFacts, keptDuringBackups } from './facts-kept.ts'
import type { FactsStore } from '../facts/store.ts'
import type { TableMember } from './manifest.ts'
import { inOrder, postgresTables } from './postgres-tables.ts'
import type { Backup } from './read-backup.ts'
import { endAccess, raiseLoads, restorePostgres } from './restore.ts'

const log = createLog('silent')
const test = databaseTest()

/** As an earlier version left it. */
const names = Object.keys(migrations)
const earlier = names.slice(0, -1)

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

test('tables of an earlier version are restored exactly, whatever is in them, and brought up to date', { tags: ['full'] }, async () => {
  const database = await openTestDatabase(blank)
  onTestFinished(() => database.close())
  const { pool, url } = database
  const texts = new Map<string, string>()
  const members: TableMember[] = []
  await migrate(openDatabase(pool), Object.fromEntries(earlier.map((name) => [name, migrations[name]!])), log)
  const queue = await openQueue({ url, log, worker: false })
  await queue.defineQueue('work')
  await queue.send('work', { odd: 'tab\t, line\n, backslash \\ and ☃' })
  await queue.close()
  await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', E'tab\\t\\\\N\\n☃', 'ann@example.test')`)
  await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'one', 'google'), ('ann', 'two', 'imported')`)
  await pool.query(`INSERT INTO people (user_id, selected_property_id) SELECT 'ann', max(id) FROM properties`)
  const dump = async (): Promise<Record<string, unknown[]>> => {
    const all: Record<string, unknown[]> = {}
    for (const table of ['users', 'properties', 'people', 'jobs.queue', 'jobs.job'])
      all[table] = (await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY 1`)).rows
    return all
  }
  const client = await pool.connect()
  for (const { name: table, columns } of await postgresTables(client)) {
    const copy = new CopyOut(`COPY (SELECT ${columns.join(', ')} FROM ${table}) TO STDOUT`)
    client.query(copy)
    const text = Buffer.concat(await copy.toArray()).toString('utf8')
    texts.set(table, text)
    members.push({ file: table, bytes: text.length, sha256: '', table, columns, rows: copy.rows })
  }
  const jobs = (await client.query<{ version: number }>('SELECT version FROM jobs.version')).rows[0]!.version
  client.release()
  const before = await dump()
  expect(before['jobs.job']).toHaveLength(1)

  // A column that the current pg-boss no longer has.
  const job = members.find(({ table }) => table === 'jobs.job')!
  job.columns = [...job.columns, 'gone']
  texts.set('jobs.job', texts.get('jobs.job')!.replace(/\n$/, '\tx\n'))
  await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA jobs CASCADE')
  const backup: Backup = {
    manifest: {
      format: 1,
      version: '0.0.1',
      madeAt: '2026-03-18T00:00:00.000Z',
      migrations: earlier,
      jobs,
      key: { included: true, mark: '' },
      postgres: members,
      sequences: { properties_id_seq: 2, fact_load: 41, 'jobs.lost_seq': 3 },
      facts: [],
      others: [],
    },
    content: async (name) => bytes(texts.get(name) ?? ''),
    verify: async () => {},
    close: () => {},
  }
  await restorePostgres(database, backup, log)
  expect(await dump()).toEqual(before)
  const inserted = await pool.query<{ id: number }>(
    `INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'three', 'google') RETURNING id`,
  )
  expect(Number(inserted.rows[0]!.id)).toBe(3)
  expect(await migrate(openDatabase(pool), migrations, log)).toEqual(names.slice(-1))
})

test(
  'all access ends in a restored backup of an early version, too: its tables are brought up to date first',
  { tags: ['full'] },
  async () => {
    const database = await openTestDatabase(blank)
    onTestFinished(() => database.close())
    const { pool, url } = database
    await migrate(openDatabase(pool), Object.fromEntries(names.slice(0, 3).map((name) => [name, migrations[name]!])), log)
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
    await pool.query(
      `INSERT INTO sessions (id, user_id, token, expires_at, created_at, updated_at) VALUES ('s', 'ann', 't', 'infinity', now(), now())`,
    )
    await migrate(openDatabase(pool), migrations, log)
    await (await openQueue({ url, log, worker: false })).close()
    await endAccess(pool)
    expect((await pool.query('SELECT id FROM sessions')).rows).toEqual([])
    expect((await pool.query('SELECT name FROM users')).rows).toEqual([{ name: 'ann' }])
  },
)

test('load numbers continue after the newest one stored, even if PostgreSQL knows none that new', async ({ database: { pool } }) => {
  const next = async () => Number((await pool.query<{ load: string }>(`SELECT nextval('fact_load') AS load`)).rows[0]!.load)
  await raiseLoads(pool, 1_000)
  expect(await next()).toBe(1_001)
  await raiseLoads(pool, 7)
  expect(await next()).toBe(1_002)
})

test("rows that can't be loaded leave the connection usable", async ({ database: { pool } }) => {
  const client = await pool.connect()
  await client.query('CREATE TEMP TABLE numbers (n integer)')
  await expect(copyIn(client, 'COPY numbers FROM STDIN', bytes('1\ntwo\n'))).rejects.toThrow('invalid input syntax')
  async function* breaksOff(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('1\n')
    throw new Error('the file is damaged')
  }
  await expect(copyIn(client, 'COPY numbers FROM STDIN', breaksOff())).rejects.toThrow('the file is damaged')
  expect(await copyIn(client, 'COPY numbers FROM STDIN', bytes('1\n2\n'))).toBe(2)
  expect((await client.query('SELECT n FROM numbers ORDER BY n')).rows).toEqual([{ n: 1 }, { n: 2 }])
  client.release(true)
})

test('while a backup is made nothing is deleted, and no other one is started', async ({ database: { pool } }) => {
  const done: string[] = []
  const store = { drop: async () => void done.push('dropped') } as Pick<FactsStore, 'drop'> as FactsStore
  const facts = keptDuringBackups(store, pool)
  const held: FactsHeld = await holdFacts(pool)
  await expect(holdFacts(pool)).rejects.toThrow('Another backup is in progress')
  const dropping = facts.drop([1])
  await held.stillHeld()
  expect(done).toEqual([])
  done.push('backed up')
  held.release()
  await dropping
  expect(done).toEqual(['backed up', 'dropped'])
})

test('tables come after those they refer to; a cycle is reported', () => {
  const table = (name: string, ...needs: string[]) => ({ name, needs })
  const ordered = inOrder([table('a', 'c', 'elsewhere'), table('b', 'a'), table('c')])
  expect(ordered.map(({ name }) => name)).toEqual(['c', 'a', 'b'])
  expect(() => inOrder([table('a', 'b'), table('b', 'a'), table('c')])).toThrow('in a circle: a, b')
})

test('what is still to be deleted of deleted accounts is noted in every backup, so that a restore forgets none of it', async ({
  database: { pool },
}) => {
  const client = await pool.connect()
  const tables = await postgresTables(client).finally(() => client.release())
  expect(tables).toContainEqual({ name: 'forgotten_properties', columns: ['property_id', 'at', 'hidden'], needs: [] })
})
