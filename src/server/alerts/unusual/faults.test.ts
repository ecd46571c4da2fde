import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'

// The rule about unusual clicks when days arrive late, are revised or never arrive, and when it changes during its evaluation.

const through = '2025-04-13'
const oldest = addDays(through, -300)
const unusual: NewCondition = { type: 'clicks', kind: 'unusual', title: 'Unusual clicks' }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2025-04-16T20:00:00Z')))
afterAll(() => evaluated.close())

const clicksOn = (date: string): number => 1_000 + ((dayNumber(date) * 37) % 60)
async function site(from = oldest, rules = [unusual]) {
  const name = `https://faults${++sites}.example/`
  const made = await evaluated.property(name, { through, rules })
  const store = (first: string, last: string, factor = 1) =>
    made.store(first, last, (date) => [{ page: '/', clicks: Math.round(clicksOn(date) * factor) }])
  await store(from, through)
  await made.backfilled(from, from)
  return { ...made, storeAt: store }
}
const evaluate = async (of: Awaited<ReturnType<typeof site>>) => {
  await evaluated.alerts.evaluate('u', of)
  return (await of.list()).map(({ state, severity }) => [state, severity])
}
const keptOf = async ({ id }: { id: number }) =>
  (await sql<{ state: unknown }>`SELECT rests_on, state FROM site_baselines WHERE property_id = ${id}`.execute(evaluated.stores.db)).rows

test('days that Google revises later are evaluated as if they had always been so', async () => {
  const revised = await site()
  expect(await evaluate(revised)).toEqual([])
  await revised.storeAt(addDays(through, -6), through, 0.5)
  expect(await evaluate(revised)).toMatchObject([['firing', expect.any(String)]])
  const always = await site()
  await always.storeAt(addDays(through, -6), through, 0.5)
  expect(await evaluate(always)).toEqual(await evaluate(revised))
  expect(await keptOf(always)).toEqual(await keptOf(revised))
})

test("a day without data yet isn't a zero, and late data is evaluated", { tags: ['full'] }, async () => {
  const late = await site()
  await sql`UPDATE property_syncs SET complete_through = ${addDays(through, 1)} WHERE property_id = ${late.id}`.execute(evaluated.stores.db)
  expect(await evaluate({ ...late, completeThrough: addDays(through, 1) })).toEqual([])
  await late.store(addDays(through, 1), addDays(through, 1), () => [{ page: '/', clicks: 20 }])
  expect(await evaluate(late)).toEqual([['firing', 'critical']])
})

test(
  'a site that dies is one alert, which recovers when it comes back; after a month, its return is good news of its own',
  { tags: ['full'] },
  async () => {
    const week = (n: number) => addDays(through, 7 * n)
    const dying = async () => {
      const made = await site()
      return async (n: number, factor: number) => {
        await made.storeAt(addDays(week(n), -6), week(n), factor)
        await sql`UPDATE property_syncs SET complete_through = ${week(n)}, facts_version = facts_version + 1 WHERE property_id = ${made.id}`.execute(
          evaluated.stores.db,
        )
        return evaluate({ ...made, completeThrough: week(n) })
      }
    }
    const soonBack = await dying()
    expect(await soonBack(1, 0)).toEqual([['firing', 'critical']])
    expect(await soonBack(2, 1)).toEqual([['recovered', 'critical']])
    expect(await soonBack(3, 1)).toEqual([['recovered', 'critical']])

    // What lasts becomes the level, and the alert ends; so the return is a rise.
    const lateBack = await dying()
    expect(await lateBack(1, 0)).toEqual([['firing', 'critical']])
    for (let n = 2; n <= 6; n++) expect((await lateBack(n, 0)).map(([, severity]) => severity)).toEqual(['critical'])
    expect(await lateBack(7, 1)).toEqual([
      ['recovered', 'critical'],
      ['firing', 'positive'],
    ])
    for (let n = 8; n <= 11; n++) await lateBack(n, 1)
    expect(await lateBack(12, 1)).toEqual([
      ['recovered', 'critical'],
      ['recovered', 'positive'],
    ])
  },
)

test('a new site raises no alarm, however fast it grows', async () => {
  const begins = await site(addDays(through, -16))
  await begins.storeAt(addDays(through, -6), through, 4)
  expect(await evaluate(begins)).toEqual([])
})

test('a rule that is switched off while its days are read opens nothing', { tags: ['full'] }, async () => {
  const edited = await site()
  await edited.storeAt(addDays(through, -6), through, 0.4)
  evaluated.meanwhile.daily = async () => {
    evaluated.meanwhile.daily = async () => undefined
    await evaluated.alerts.conditions.change('u', edited.rules[0]?.id ?? '', { isEnabled: false })
  }
  await evaluated.alerts.runDue()
  expect((await edited.list()).map(({ state }) => state)).toEqual([])
})
