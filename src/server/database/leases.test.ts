import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { databaseTest, type TestDatabase } from '../../../test/support/database.ts'
import { silentLog } from '../../../test/support/platform.ts'
import { until } from '../../../test/support/until.ts'
import { createLeases } from './leases.ts'

const test = databaseTest()

/** Leases renewed often, for tests that wait for it. */
const renewed = { heldMs: 10_000, renewEveryMs: 200 }
const leasesIn = ({ db }: TestDatabase, times?: typeof renewed) =>
  createLeases(db, { table: 'sync_leases', kind: 'days' }, silentLog, times)
const ofAnn = (key: number) => ({ key, userId: 'ann' })
/** Simulates a killed process's leases some seconds later. */
const endNow = ({ db }: TestDatabase, propertyId: number) =>
  db
    .updateTable('syncLeases')
    .set({ until: new Date(0) })
    .where('propertyId', '=', propertyId)
    .execute()
const endOf = async ({ db }: TestDatabase, propertyId: number) =>
  (await db.selectFrom('syncLeases').where('propertyId', '=', propertyId).select('until').executeTakeFirstOrThrow()).until.getTime()

test('a property is held by one process at a time, and by the next one when released', async ({ database }) => {
  const [here, there] = [leasesIn(database), leasesIn(database)]
  const held = await here.claim(ofAnn(1), { perPerson: 9 })
  expect(held).not.toBeNull()
  expect(await there.claim(ofAnn(1), { perPerson: 9 })).toBeNull()
  expect(await here.claim(ofAnn(1), { perPerson: 9 })).toBeNull()
  await held?.release()
  const next = await there.claim(ofAnn(1), { perPerson: 9 })
  expect(next).not.toBeNull()
  await next?.release()
})

test('of many processes that request it at the same time, one gets it', async ({ database }) => {
  const all = await Promise.all(Array.from({ length: 12 }, () => leasesIn(database).claim(ofAnn(2), { perPerson: 99 })))
  expect(all.filter((lease) => lease !== null)).toHaveLength(1)
  for (const lease of all) await lease?.release()
})

test('a user has at most as many properties in progress as places; others get theirs', async ({ database }) => {
  const here = leasesIn(database)
  const held = [await here.claim(ofAnn(3), { perPerson: 2 }), await here.claim(ofAnn(4), { perPerson: 2 })]
  expect(held).not.toContain(null)
  expect(await leasesIn(database).claim(ofAnn(5), { perPerson: 2 })).toBeNull()
  const other = await leasesIn(database).claim({ key: 6, userId: 'ben' }, { perPerson: 2 })
  expect(other).not.toBeNull()
  for (const lease of [...held, other]) await lease?.release()
})

test('an expired lease is taken over, and its former holder told to stop', async ({ database }) => {
  const [dead, alive] = [leasesIn(database, renewed), leasesIn(database)]
  const lost = await dead.claim(ofAnn(7), { perPerson: 9 })
  await endNow(database, 7)
  const taken = await alive.claim(ofAnn(7), { perPerson: 9 })
  expect(taken).not.toBeNull()
  await until(
    async () => lost?.signal.aborted,
    (aborted) => aborted === true,
  )
  // Releasing a lost lease doesn't take it from its new holder.
  await lost?.release()
  expect(await leasesIn(database).claim(ofAnn(7), { perPerson: 9 })).toBeNull()
  expect(taken?.signal.aborted).toBe(false)
  await taken?.release()
})

test("a row that somebody else holds on to costs no other lease, and isn't waited for", async ({ database }) => {
  const here = leasesIn(database, renewed)
  const [ann, ben] = [await here.claim(ofAnn(10), { perPerson: 9 }), await here.claim({ key: 11, userId: 'ben' }, { perPerson: 9 })]
  await database.db.transaction().execute(async (trx) => {
    await trx.selectFrom('syncLeases').where('propertyId', '=', 10).select('propertyId').forUpdate().execute()
    const first = await endOf(database, 11)
    await until(
      () => endOf(database, 11),
      (end) => end > first,
    )
    expect(await leasesIn(database).claim(ofAnn(10), { perPerson: 9 })).toBeNull()
  })
  expect(ann?.signal.aborted).toBe(false)
  for (const lease of [ann, ben]) await lease?.release()
})

test('after a kill -9 of its holder another process takes over', { tags: ['full'] }, async ({ database }) => {
  const script = fileURLToPath(new URL('../../../test/support/lease-holder.ts', import.meta.url))
  const holder = spawn(process.execPath, [script, database.url, '9', 'ann', JSON.stringify({ ...renewed, heldMs: 2_000 })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(holder, 'exit')
  try {
    expect(String((await once(holder.stdout, 'data'))[0])).toBe('held\n')
    expect(await leasesIn(database).claim(ofAnn(9), { perPerson: 9 })).toBeNull()
  } finally {
    holder.kill('SIGKILL')
    await exit
  }
  const here = leasesIn(database)
  const taken = await until(
    () => here.claim(ofAnn(9), { perPerson: 9 }),
    (lease) => lease !== null,
  )
  await taken?.release()
})

test("a running process keeps its lease beyond the lease's duration", async ({ database }) => {
  const here = leasesIn(database, renewed)
  const held = await here.claim(ofAnn(8), { perPerson: 9 })
  const first = await endOf(database, 8)
  await until(
    () => endOf(database, 8),
    (end) => end > first,
  )
  expect(held?.signal.aborted).toBe(false)
  await held?.release()
})
