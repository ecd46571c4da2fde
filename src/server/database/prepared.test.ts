import { sql } from 'kysely'
import { expect } from 'vitest'
import { blank, databaseTest } from '../../../test/support/database.ts'
import type { Db } from './open.ts'
import { prepared } from './prepared.ts'

const test = databaseTest(blank).extend('db', { scope: 'file' }, async ({ database: { db } }) => {
  await sql`CREATE TABLE properties (id int, user_id text, name text)`.execute(db)
  await sql`INSERT INTO properties VALUES (1, 'ann', 'a'), (2, 'ann', 'b'), (3, 'ben', 'c'), (4, 'ben', 'ann')`.execute(db)
  return db
})

type Given = { userId: string; after: number; most: number }
const build = (db: Db, { userId, after, most }: Given) =>
  db
    .selectFrom('properties')
    .where('userId', '=', userId)
    .where('name', '<>', 'b')
    .where('id', '>', after)
    .select(['id', 'userId', 'name'])
    .orderBy('id')
    .limit(most)

test('a prepared query returns the same as the query itself, whatever the values and however often', async ({ db }) => {
  const run = prepared(db, (given: Given) => build(db, given))
  for (const userId of ['ann', 'ben', 'nobody', "x' OR true --"]) {
    for (const after of [0, 1, 3]) {
      for (const most of [1, 10]) {
        const given = { userId, after, most }
        expect(await run(given)).toEqual(await build(db, given).execute())
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

test("values that aren't referenced by name would be lost, and are refused", ({ db }) => {
  expect(() => prepared(db, (given: Given) => build(db, { ...given }))).toThrow('taken by name')
})
