import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { createLocks } from '../../src/server/database/locks.ts'
import { createImportService } from '../../src/server/sync/import/service.ts'
import { storesTest as test, type TestStores } from '../support/import-stores.ts'

// Somebody who names a property so that an import into it holds a lock of somebody else, or of the whole installation.

const clock = { now: () => new Date('2026-11-20T20:00:00Z') }

type Held = { kind: 'installation' | 'owner'; number: string }

/** The locks that an import into this property holds while its rows are read. */
async function heldBy(stores: TestStores, userId: string, propertyName: string): Promise<Held[]> {
  let held: Held[] = []
  const beginLoad: typeof stores.facts.beginLoad = async (...of) => {
    // A pair is an owner's number and another one; everything else is a single number.
    const { rows } = await stores.pool.query<Held>(`SELECT CASE objsubid WHEN 2 THEN 'owner' ELSE 'installation' END AS kind,
        CASE objsubid WHEN 2 THEN classid::text ELSE classid || ',' || objid END AS number
      FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    held = rows
    return stores.facts.beginLoad(...of)
  }
  const imports = createImportService({ ...stores, facts: { ...stores.facts, beginLoad }, clock })
  const content = Readable.from([Buffer.from('date,query,clicks,impressions,position\n2026-07-01,word,1,10,5\n')])
  expect(await imports.importFiles({ userId, propertyName, files: [{ name: 'a.csv', content }] })).toMatchObject({ ok: true })
  return held
}

test('whatever somebody names a property, importing into it holds only locks of their own account', async ({ stores }) => {
  const [attacker, other] = [await stores.person(), await stores.person()]
  const own = await heldBy(stores, attacker, 'one')
  expect(own).toEqual([{ kind: 'owner', number: expect.any(String) as string }])
  for (const name of ['two', `way-in:${other}`, `["import","${other}","one"]`]) expect(await heldBy(stores, attacker, name)).toEqual(own)
  expect(await heldBy(stores, other, 'one')).not.toEqual(own)
})

test('a lock that is never released keeps nobody waiting for good', async ({ stores }) => {
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = createLocks(stores.db, 1).all(['way-in:victim'], () => {
    begun.resolve()
    return done.promise
  })
  await begun.promise
  await expect(createLocks(stores.db, 1, '100ms').all(['way-in:victim'], async () => {})).rejects.toMatchObject({ code: '57014' })
  done.resolve()
  await holding
})
