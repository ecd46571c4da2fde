import { expect } from 'vitest'
import { storesTest as test, type TestStores } from '../../../../test/support/import-stores.ts'
import { usedOfDay } from '../../database/day-counts.ts'
import { newTenancy, runAs, tenantNow } from '../../platform/tenant.ts'
import { createDayCharge } from './day-charge.ts'

const clock = { now: () => new Date('2026-11-20T20:00:00Z') }

/** The same database, in which the transactions with these numbers fail; `tenants` made them. */
function failing({ db }: TestStores, ...numbers: readonly number[]) {
  const tenants: string[] = []
  const transaction = () => {
    const isLost = numbers.includes(tenants.push(tenantNow()))
    return isLost ? { execute: () => Promise.reject(new Error('no connection')) } : db.transaction()
  }
  return { tenants, db: Object.assign(Object.create(db) as typeof db, { transaction }) }
}

const begin = ({ db }: { db: TestStores['db'] }, userId: string) =>
  createDayCharge({ db, clock }, { userId, aDay: 1_000, step: 10, isFree: false })
const used = ({ db }: TestStores, whose: string) => usedOfDay(db, { what: 'import-row', whose }, clock.now())

test('a charge that fails costs the import nothing, and the next one includes it', async ({ stores }) => {
  const userId = await stores.person()
  const day = begin(failing(stores, 2), userId)
  for (const worth of [10, 20, 30]) {
    expect(day.note(worth)).toBe(true)
    expect(await day.hadRoom(worth)).toBe(true)
  }
  await day.end(35)
  expect(await used(stores, userId)).toBe(35)
})

test('while charges fail one after another, reading stops', async ({ stores }) => {
  const userId = await stores.person()
  const day = begin(failing(stores, 1, 2, 3), userId)
  for (const worth of [10, 20, 30]) day.note(worth)
  await expect(day.hadRoom(30)).resolves.toBe(true)
  expect(await used(stores, userId)).toBe(30)

  const lost = begin(failing(stores, 1, 2, 3, 4, 5, 6, 7), userId)
  for (const worth of [10, 20, 30]) lost.note(worth)
  await expect(lost.hadRoom(30)).rejects.toThrow('no connection')
  expect(() => lost.note(40)).toThrow('no connection')
  // What made the import fail is what its owner reads.
  await lost.end(40)
  expect(await used(stores, userId)).toBe(30)
})

test('an account is charged without waiting in its own line for connections', async ({ stores }) => {
  const userId = await stores.person()
  const { db, tenants } = failing(stores)
  await runAs(newTenancy(undefined, userId), async () => {
    const day = begin({ db }, userId)
    day.note(10)
    await day.end(10)
  })
  expect(tenants).toEqual([''])
})
