import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites, type PageDay } from '../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../contract/alerts/conditions.ts'
import { addDays } from '../../core/analytics/days.ts'

// Missing data isn't zero: how rules treat days that nobody has counted, on the real stores without the rest of the server.

const through = '2026-03-15'
/** As far back as Google goes. */
const oldest = addDays(through, -480)
const drop: NewCondition = { type: 'clicks', title: 'Drop in clicks', monitor: 'site' }
const spike: NewCondition = { type: 'clicks', title: 'Traffic spike', monitor: 'site', threshold: 50 }
const news: NewCondition[] = [
  { type: 'position', kind: 'new_query', title: 'New keyword', monitor: 'site', threshold: 10 },
  { type: 'position', kind: 'new_page', title: 'New ranking page', monitor: 'site', threshold: 20 },
]
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

const steady: PageDay = { page: '/', clicks: 100 }

describe('a site that has been in Search Console for ten days', () => {
  const since = addDays(through, -9)

  test("can't be compared: not everything is new, and a week against three days isn't a spike", async () => {
    const site = await evaluated.property('https://young.example/', { through, rules: [...news, spike, drop] })
    // Google answers for all sixteen months: with nothing for the days before it started counting.
    await site.store(oldest, through, (date) => (date < since ? [] : [steady, { page: '/lamps', clicks: 20 }]))
    await site.backfilled(oldest, oldest)
    await evaluated.alerts.runDue()
    expect(await site.list()).toEqual([])
    for (const rule of [...news, spike, drop])
      expect(await evaluated.alerts.backtest('owner', site, rule)).toMatchObject({ from: null, days: [] })
  })

  test('is alerted about new content once it has eight weeks of data', { tags: ['full'] }, async () => {
    const site = await evaluated.property('https://grown.example/', { through, rules: news })
    const first = addDays(through, -6 - 8 * 7)
    const isNew = (date: string) => date > addDays(through, -5)
    await site.store(oldest, through, (date) => [
      ...(date < first ? [] : [steady]),
      ...(isNew(date) ? [{ page: '/lamps', clicks: 20 }] : []),
    ])
    await site.backfilled(oldest, oldest)
    await evaluated.alerts.runDue()
    // The page and its query are one finding.
    const all = await site.list()
    expect(all.map(({ entity }) => [entity.kind, entity.name])).toEqual([['page', '/lamps']])
    expect(all[0]?.findings?.map(({ entity }) => [entity.kind, entity.name])).toEqual([
      ['page', '/lamps'],
      ['query', '/lamps'],
    ])
  })
})

test('days without data after the first with data are zeros', async () => {
  const site = await evaluated.property('https://silent.example/', { through, rules: [drop] })
  await site.store(addDays(through, -100), through, (date) => (date > addDays(through, -7) ? [] : [steady]))
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.runDue()
  expect(await site.list()).toMatchObject([{ previousValue: 700, currentValue: 0, severity: 'critical' }])
})

test("an alert's daily values leave out days that aren't stored; one without clicks is zero", async () => {
  const site = await evaluated.property('https://gap.example/', { through, rules: [drop] })
  const [gap, silent] = [addDays(through, -20), addDays(through, -25)]
  const daysOf = (date: string) => (date === silent ? [] : [date > addDays(through, -7) ? { ...steady, clicks: 50 } : steady])
  await site.store(addDays(through, -100), addDays(gap, -1), daysOf)
  await site.store(addDays(gap, 2), through, daysOf)
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.runDue()
  const counted = [100, 100, 0, 100, 100, 100, 100, ...Array<number>(12).fill(100), ...Array<number>(7).fill(50)]
  expect((await site.list()).map(({ data }) => data)).toEqual([counted])
})

test('nothing is evaluated while Google is still being asked for older days, however far back imported files reach', async () => {
  const site = await evaluated.property('https://both.example/', { through, rules: [drop, ...news] })
  const fetched = addDays(through, -20)
  const daysOf = (date: string) => [date > addDays(through, -7) ? { ...steady, clicks: 50 } : steady]
  await site.store('2024-01-01', '2024-06-30', daysOf)
  await site.store(fetched, through, daysOf)
  await site.backfilled(fetched, oldest)
  await evaluated.alerts.runDue()
  expect(await site.list()).toEqual([])

  // Then all of them are there.
  await site.store(oldest, through, daysOf)
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.runDue()
  expect(await site.list()).toMatchObject([{ title: 'Clicks dropped across the site', previousValue: 700, currentValue: 350 }])
})

test('an unknown day ends no alert about the CTR of a query', async () => {
  const ctr: NewCondition = { type: 'ctr', kind: 'unusual', title: 'CTR', monitor: 'queries', targets: ['lamp'] }
  const site = await evaluated.property('https://hole.example/', { through, rules: [ctr] })
  const fell = addDays(through, -6)
  const daysOf = (date: string) => [
    { page: '/', query: 'lamp', clicks: date >= fell ? 70 : 140, impressions: 1_400 + ((Date.parse(date) / 86_400_000) % 5) },
  ]
  const missing = addDays(through, -1)
  await site.store(addDays(through, -300), addDays(missing, -1), daysOf)
  await site.store(through, through, daysOf)
  await site.backfilled(oldest, oldest)
  const states: (string | undefined)[][] = []
  for (const day of [addDays(missing, -1), through]) {
    await evaluated.stores.db.updateTable('propertySyncs').set({ completeThrough: day }).where('propertyId', '=', site.id).execute()
    await evaluated.alerts.runDue()
    states.push((await site.list()).map(({ state }) => state))
  }
  expect(states).toEqual([['firing'], ['firing']])
})

describe('a page that appears and then vanishes', () => {
  const rule: NewCondition = { type: 'clicks', title: 'Clicks drop', monitor: 'new_content' }
  const firstSeen = addDays(through, -12)
  const vanishes = (last: string) => (date: string) => [
    steady,
    ...(date >= firstSeen && date <= last ? [{ page: '/lamps', clicks: 20 }] : []),
  ]

  test('is found by a rule about new content, as its backtest says', { tags: ['full'] }, async () => {
    const site = await evaluated.property('https://vanished.example/', { through, rules: [rule] })
    await site.store(addDays(through, -200), through, vanishes(addDays(through, -7)))
    await site.backfilled(oldest, oldest)
    await evaluated.alerts.runDue()
    expect(await site.list()).toMatchObject([
      { entity: { kind: 'page', name: '/lamps' }, previousValue: 120, currentValue: 0, change: -100 },
    ])
    const { days } = await evaluated.alerts.backtest('owner', site, rule)
    expect(days.flatMap(({ entities }) => entities)).toEqual(['/lamps'])
  })

  test('has an alert that remains when it no longer appears', { tags: ['full'] }, async () => {
    const site = await evaluated.property('https://vanishing.example/', { through, rules: [rule] })
    const complete = async (day: string) => {
      await evaluated.stores.db.updateTable('propertySyncs').set({ completeThrough: day }).where('propertyId', '=', site.id).execute()
      await evaluated.alerts.runDue()
      return (await site.list()).map(({ state, currentValue }) => ({ state, currentValue }))
    }
    await site.store(addDays(through, -200), through, vanishes(addDays(through, -7)))
    await site.backfilled(oldest, oldest)
    expect(await complete(addDays(through, -1))).toEqual([{ state: 'firing', currentValue: 20 }])
    expect(await complete(through)).toEqual([{ state: 'firing', currentValue: 0 }])
  })
})
