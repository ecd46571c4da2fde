import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays } from '../../../core/analytics/days.ts'

// Rules for drops and rises, evaluated evening by evening.

const first = '2026-03-01'
const start = addDays(first, -200)
const both: NewCondition = { type: 'clicks', title: 'Clicks', monitor: 'pages', targets: ['/lamp'], direction: 'both' }
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-04-18T20:00:00Z')))
afterAll(() => evaluated.close())

test(
  'an outage is one drop that recovers, never a rise, even while later weeks are compared with the week of the outage',
  { tags: ['full'] },
  async () => {
    const last = addDays(first, 12)
    // The second rule finds the same drop: it must not call the return a rise either.
    const site = await evaluated.property('https://both.example/', {
      through: last,
      rules: [both, { ...both, title: 'Also', threshold: 18 }],
    })
    await site.store(start, last, (date) => [{ page: '/lamp', clicks: date >= first && date < addDays(first, 3) ? 5 : 100 }])
    await site.backfilled(start, start)
    evaluated.announced.length = 0
    const steps: string[] = []
    for (let day = 0; day <= 12; day += 1) {
      const through = addDays(first, day)
      await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
      await evaluated.alerts.evaluate('u', { ...site, completeThrough: through })
      for (const { opened, recovered } of evaluated.announced.splice(0))
        steps.push(...opened.map(() => `${day} opened`), ...recovered.map(() => `${day} recovered`))
    }
    expect(steps).toEqual(['1 opened', '8 recovered'])
    const [alert, ...others] = await site.list()
    expect([alert?.title, others]).toEqual(['Clicks dropped: /lamp', []])
    expect(alert?.change).toBeLessThan(0)
  },
)

test('an outage of two weeks is one drop that recovers, never a rise, for a rule about what is unusual for the site', async () => {
  const last = addDays(first, 24)
  const smart: NewCondition = { kind: 'unusual', type: 'clicks', title: 'Site', monitor: 'site' }
  const site = await evaluated.property('https://unusual.example/', { through: last, rules: [smart] })
  await site.store(start, last, (date) => {
    const usual = 400 + ((Date.parse(date) / 86_400_000) % 5) * 10
    return [{ page: '/lamp', clicks: date >= first && date < addDays(first, 14) ? 200 : usual }]
  })
  await site.backfilled(start, start)
  evaluated.announced.length = 0
  const steps: string[] = []
  for (const day of [0, 1, 13, 14, 15, 16, 17, 18, 20, 22, 24]) {
    const through = addDays(first, day)
    await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
    await evaluated.alerts.evaluate('u', { ...site, completeThrough: through })
    for (const { opened, recovered } of evaluated.announced.splice(0))
      steps.push(...opened.map(() => `${day} opened`), ...recovered.map(() => `${day} recovered`))
  }
  expect(steps).toEqual([expect.stringMatching(/^[01] opened$/), '16 recovered'])
  expect((await site.list()).map(({ state }) => state)).toEqual(['recovered'])
})

test(
  'a page that rises from zero is one alert, from the evening on which its clicks exceed chance, with the queries behind them',
  { tags: ['full'] },
  async () => {
    const last = addDays(first, 9)
    const site = await evaluated.property('https://from-zero.example/', { through: last, rules: [both] })
    await site.store(start, last, (date) => [
      { page: '/lamp', query: 'lamp', clicks: date < first ? 0 : 5, impressions: date < first ? 0 : 60 },
      { page: '/chair', clicks: 100 },
    ])
    await site.backfilled(start, start)
    evaluated.announced.length = 0
    const steps: string[] = []
    for (let day = 0; day <= 9; day += 1) {
      const through = addDays(first, day)
      await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
      await evaluated.alerts.evaluate('u', { ...site, completeThrough: through })
      for (const { opened, recovered } of evaluated.announced.splice(0))
        steps.push(...opened.map(() => `${day} opened`), ...recovered.map(() => `${day} recovered`))
      if (day !== 1) continue
      const [alert] = await site.list()
      expect(alert).toMatchObject({ severity: 'positive', title: 'Clicks spiked: /lamp', previousValue: 0, currentValue: 10, change: null })
      const { contributors } = await evaluated.alerts.report('u', alert?.id ?? '')
      expect(contributors).toEqual([{ entity: { kind: 'query', name: 'lamp' }, previousValue: 0, currentValue: 10, change: null }])
    }
    expect(steps).toEqual(['1 opened'])
    expect(await site.list()).toMatchObject([{ state: 'firing' }])
  },
)
