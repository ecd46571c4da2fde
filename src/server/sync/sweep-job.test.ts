import { expect } from 'vitest'
import { factsTest } from '../../../test/support/facts.ts'
import { openTestDatabase } from '../../../test/support/database.ts'
import { createLog } from '../platform/log.ts'
import { sweepOnce } from './sweep-job.ts'
import { dailyTotals } from '../facts/questions/daily-totals.ts'

const test = factsTest.extend('database', async ({}, { onCleanup }) => {
  const database = await openTestDatabase()
  onCleanup(() => database.close())
  return database
})

test('a sweep deletes what was replaced before the previous one, and orphaned facts, but nothing that is read', async ({
  store,
  facts,
  database,
}) => {
  let now = new Date('2026-10-10T03:17:00Z')
  const sweep = () =>
    sweepOnce({ db: database.db, facts, nextLoad: store.nextLoad, clock: { now: () => now }, log: createLog('error', true) })
  async function publish(property: number, clicks: number): Promise<void> {
    const load = await facts.beginLoad(property, 'web')
    await load.write('total', [{ date: '2026-10-05', keys: [], clicks, impressions: 9, position: 1 }])
    await load.publish(new Map([['total', ['2026-10-05']]]))
  }
  const clicksOf = async (property: number): Promise<number[]> =>
    (await facts.ask(dailyTotals, { property, searchType: 'web', start: '2026-10-01', end: '2026-10-31' })).map((day) => day.clicks)

  const owned = await database.property('https://kept.example/')
  await publish(owned, 1)
  await publish(owned, 2)
  await publish(999_999, 5)
  expect(await sweep()).toBe(0)

  now = new Date('2026-10-10T04:00:00Z')
  expect(await sweep()).toBe(0)

  now = new Date('2026-10-11T03:17:00Z')
  expect(await sweep()).toBe(1)
  expect(await clicksOf(owned)).toEqual([2])
  expect(await clicksOf(999_999)).toEqual([])
})
