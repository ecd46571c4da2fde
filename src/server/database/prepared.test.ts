import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../platform/log.ts'
import { openPostgres } from '../platform/postgres.ts'
import { type Db, openDatabase } from './open.ts'
import { prepared } from './prepared.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-prepared-'))
let postgres: Awaited<ReturnType<typeof openPostgres>>
let db: Db

beforeAll(async () => {
  const onLost = (error: Error): void => {
    throw error
  }
  postgres = await openPostgres({ databaseUrl: undefined, dataDir, log: createLog('silent'), onLost })
  db = openDatabase(postgres.pool)
  await sql`CREATE TABLE properties (id int, user_id text, name text)`.execute(db)
  await sql`INSERT INTO properties VALUES (1, 'ann', 'a'), (2, 'ann', 'b'), (3, 'ben', 'c'), (4, 'ben', 'ann')`.execute(db)
}, 60_000)

afterAll(async () => {
  await postgres.close()
  await rm(dataDir, { recursive: true, force: true })
})

type Given = { userId: string; after: number; most: number }
const build = ({ userId, after, most }: Given) =>
  db
    .selectFrom('properties')
    .where('userId', '=', userId)
    .where('name', '<>', 'b')
    .where('id', '>', after)
    .select(['id', 'userId', 'name'])
    .orderBy('id')
    .limit(most)

test('a prepared query answers what the query itself does, whatever is given and however often', async () => {
  const run = prepared(db, build)
  for (const userId of ['ann', 'ben', 'nobody', "x' OR true --"]) {
    for (const after of [0, 1, 3]) {
      for (const most of [1, 10]) {
        const given = { userId, after, most }
        expect(await run(given)).toEqual(await build(given).execute())
      }
    }
  }
  expect(await run({ userId: 'ben', after: 0, most: 10 })).toEqual([
    { id: 3, userId: 'ben', name: 'c' },
    { id: 4, userId: 'ben', name: 'ann' },
  ])
  const { rows } = await sql<{ plans: number }>`SELECT count(*)::int AS plans FROM pg_prepared_statements WHERE name LIKE 'q-%'`.execute(db)
  expect(rows).toEqual([{ plans: 1 }])
})

test('values that are not taken by name would be lost, and are refused', () => {
  expect(() => prepared(db, (given: Given) => build({ ...given }))).toThrow('taken by name')
})
