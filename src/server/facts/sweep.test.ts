import { expect } from 'vitest'
import { factsTest as test, type TestFacts } from '../../../test/support/facts.ts'
import { sweepOldLoads } from './sweep.ts'
import { dailyTotals } from './questions/daily-totals.ts'

const day = (date: string, clicks: number) => ({ date, keys: [], clicks, impressions: 100, position: 4 })
const scopeOf = (property: number) => ({ property, searchType: 'web', start: '2026-10-01', end: '2026-10-31' }) as const

async function replace(store: TestFacts, date: string, clicks: number, publish: boolean): Promise<void> {
  const load = await store.facts.beginLoad(7, 'web')
  await load.write('total', [day(date, clicks)])
  if (publish) await load.publish(new Map([['total', [date]]]))
}

async function storedRows(store: TestFacts): Promise<number> {
  const answer = await store.client.query({ query: 'SELECT count() AS n FROM facts_total WHERE property = 7', format: 'JSONEachRow' })
  return Number((await answer.json<{ n: string }>())[0]?.n)
}

test('rows of replaced and unpublished loads are deleted, and every answer stays the same', async ({ store }) => {
  for (let clicks = 1; clicks <= 5; clicks++) await replace(store, '2026-10-05', clicks, true)
  await replace(store, '2026-10-06', 9, true)
  await replace(store, '2026-10-06', 99, false)
  const before = await store.facts.ask(dailyTotals, scopeOf(7))
  expect(before.map((row) => row.clicks)).toEqual([5, 9])
  expect(await storedRows(store)).toBe(7)

  expect(await sweepOldLoads(store.client, store.lastLoad() + 1)).toEqual({ rows: 5, unfit: undefined })
  expect(await storedRows(store)).toBe(2)
  expect(await store.facts.ask(dailyTotals, scopeOf(7))).toEqual(before)
})

test('a load that may still be in progress is kept', async ({ store }) => {
  const before = store.lastLoad() + 1
  const load = await store.facts.beginLoad(8, 'web')
  await load.write('total', [day('2026-10-07', 3)])
  await sweepOldLoads(store.client, before)
  await load.publish(new Map([['total', ['2026-10-07']]]))
  expect((await store.facts.ask(dailyTotals, scopeOf(8))).at(-1)).toMatchObject({ date: '2026-10-07', clicks: 3 })
})
