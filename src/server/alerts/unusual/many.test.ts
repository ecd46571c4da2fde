import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'

// Smart rules about any page or query, on the real stores.

const through = '2025-04-13'
const oldest = addDays(through, -260)
const anyPage: NewCondition = { type: 'clicks', kind: 'unusual', monitor: 'all_pages', title: 'Any page' }
const anyQuery: NewCondition = { ...anyPage, monitor: 'all_queries', title: 'Any query' }
const shownPages: NewCondition = { ...anyPage, type: 'impressions', title: 'Shown' }
const ctr: NewCondition = { type: 'ctr', kind: 'unusual', title: 'CTR' }
const position: NewCondition = { type: 'position', kind: 'unusual', title: 'Position' }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2025-04-16T20:00:00Z')))
afterAll(() => evaluated.close())

/** Pages that vary a little; `/lamp` has lost part of its clicks in the last days. */
async function siteWith(rules: readonly NewCondition[], { lost = 0.8, days = 8, pages = 30, shown = 1, place = 3 } = {}) {
  const site = await evaluated.property(`https://many${++sites}.example/`, { through, rules })
  await site.store(oldest, through, (date) => {
    const since = date > addDays(through, -days)
    return Array.from({ length: pages }, (_, i) => {
      const usual = 40 + ((dayNumber(date) * 31 + i * 17) % 9) - 4
      const isLamp = i === 0
      const clicks = isLamp && since ? Math.round(usual * (1 - lost)) : usual
      const impressions = isLamp && since ? Math.round(usual * 20 * shown) : usual * 20
      return { page: isLamp ? '/lamp' : `/page-${i}`, clicks, impressions, position: isLamp && since ? place : 3 }
    })
  })
  await site.backfilled(oldest, oldest)
  return site
}
const found = async (site: Awaited<ReturnType<typeof siteWith>>) => {
  await evaluated.alerts.evaluate('u', site)
  return (await site.list()).map(({ type, entity, severity, state, unusual }) => ({
    type,
    name: entity.name,
    severity,
    state,
    isRare: (unusual?.months ?? 0) > 12,
  }))
}

describe('a rule about any page', () => {
  test('finds the one that lost most of its clicks, and alerts about it once', async () => {
    const site = await siteWith([anyPage])
    const alert = { type: 'clicks', name: '/lamp', severity: 'critical', state: 'firing', isRare: true }
    expect(await found(site)).toEqual([alert])
    expect(await found(site)).toEqual([alert])
  })

  test('finds nothing where nothing happened, or while older days are still to come', async () => {
    expect(await found(await siteWith([anyPage, anyQuery, ctr, position], { lost: 0 }))).toEqual([])
    const growing = await siteWith([anyPage])
    await growing.backfilled(addDays(through, -40), oldest)
    expect(await found(growing)).toEqual([])
  })

  test('includes the findings about its query and its impressions', { tags: ['full'] }, async () => {
    const site = await siteWith([anyQuery, shownPages, anyPage], { shown: 0.2 })
    expect((await found(site)).map(({ type, name }) => [type, name])).toEqual([['clicks', '/lamp']])
    expect((await site.list())[0]?.findings?.map(({ type, entity }) => [type, entity.kind])).toEqual([
      ['clicks', 'page'],
      ['clicks', 'query'],
      ['impressions', 'page'],
    ])
  })

  test('ends its alert when the page recovers', async () => {
    const site = await siteWith([anyPage])
    await found(site)
    await site.store(addDays(through, -8), through, () =>
      Array.from({ length: 30 }, (_, i) => ({ page: i === 0 ? '/lamp' : `/page-${i}`, clicks: 40 })),
    )
    expect(await found(site)).toMatchObject([{ name: '/lamp', state: 'recovered' }])
  })
})

test('a rule about CTR finds the query with the same impressions and position, but fewer clicks', async () => {
  expect(await found(await siteWith([ctr], { lost: 0.6, days: 12 }))).toMatchObject([{ type: 'ctr', name: '/lamp', severity: 'critical' }])
})

test(
  'a rule about CTR reports what all queries lose as one alert about the site, which ends when they are back',
  { tags: ['full'] },
  async () => {
    const site = await evaluated.property(`https://many${++sites}.example/`, { through, rules: [ctr] })
    const store = (from: string, part: (date: string) => number) =>
      site.store(from, through, (date) =>
        Array.from({ length: 20 }, (_, i) => {
          const usual = 60 + ((dayNumber(date) * 31 + i * 17) % 9) - 4
          return { page: `/page-${i}`, clicks: Math.round(usual * part(date)), impressions: usual * 20 }
        }),
      )
    await store(oldest, (date) => (date > addDays(through, -12) ? 0.7 : 1))
    await site.backfilled(oldest, oldest)
    const alert = { type: 'ctr', name: site.name, state: 'firing' }
    expect(await found(site)).toMatchObject([alert])
    expect(await found(site)).toMatchObject([alert])
    const { days } = await evaluated.alerts.backtest('u', site, ctr)
    expect(days.map(({ entities }) => entities)).toEqual([[site.name]])
    await store(addDays(through, -12), () => 1)
    expect(await found(site)).toMatchObject([{ ...alert, state: 'recovered' }])
  },
)

describe('a rule about positions', () => {
  test('ignores a stable position, whatever happens to the clicks', async () => {
    expect(await found(await siteWith([position]))).toEqual([])
  })

  test('finds a query whose position and clicks fall together', async () => {
    expect(await found(await siteWith([position], { place: 9 }))).toMatchObject([
      { type: 'position', name: '/lamp', state: 'firing', severity: 'critical' },
    ])
  })

  test('ignores a position that costs no clicks, unless the query was chosen', { tags: ['full'] }, async () => {
    const withoutLoss = { lost: 0, place: 9 }
    expect(await found(await siteWith([position], withoutLoss))).toEqual([])
    const chosen: NewCondition = { ...position, monitor: 'queries', targets: ['/lamp'] }
    expect(await found(await siteWith([chosen], withoutLoss))).toMatchObject([{ type: 'position', name: '/lamp', state: 'firing' }])
    expect(await found(await siteWith([{ ...chosen, targets: ['/page-1'] }], withoutLoss))).toEqual([])
  })
})

test('a threshold rule that the switch silences says so on those days, and alerts on them without it', async () => {
  const restless = await evaluated.property(`https://many${++sites}.example/`, { through })
  await restless.store(oldest, through, (date) => [{ page: '/lamp', clicks: Math.floor(dayNumber(date) / 7) % 2 === 0 ? 90 : 55 }])
  await restless.backfilled(oldest, oldest)
  const rule: NewCondition = {
    type: 'clicks',
    title: 'The lamp',
    monitor: 'pages',
    targets: ['/lamp'],
    threshold: 20,
  }
  const counted = async (changes: Partial<NewCondition>) => {
    const { days } = await evaluated.alerts.backtest('u', restless, { ...rule, ...changes })
    return { alerts: days.filter((day) => day.alerts > 0), silenced: days.filter((day) => day.silenced > 0) }
  }
  const on = await counted({ onlyUnusual: true })
  expect(on.alerts).toEqual([])
  expect(on.silenced.length).toBeGreaterThan(5)
  expect(on.silenced[0]).toMatchObject({ alerts: 0, silenced: 1, entities: ['/lamp'] })
  const off = await counted({ onlyUnusual: false })
  expect(off.silenced).toEqual([])
  expect(off.alerts.length).toBeGreaterThan(5)
})

test.each([anyPage, ...inFull([anyQuery, shownPages, ctr])])(
  'the backtest of $title finds on its days what evaluating finds on the last',
  async (rule) => {
    const site = await siteWith([], { lost: 0.8, shown: rule.type === 'impressions' ? 0.2 : 1 })
    const { days, alertsAYear, expected } = await evaluated.alerts.backtest('u', site, rule)
    expect(days.map(({ entities }) => entities)).toEqual([['/lamp']])
    expect(days[0]?.date && days[0].date > addDays(through, -8)).toBe(true)
    // Twelve of thirty-seven weeks of history are too few to extrapolate to a year.
    expect(alertsAYear === null || alertsAYear < 3).toBe(true)
    // Its card says what is expected of the busiest, and the level at which it alerts.
    expect(expected?.low).toBeGreaterThan(0)
    expect(expected!.low).toBeLessThan(expected!.value)
  },
)
