import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays } from '../../../core/analytics/days.ts'

// A second outage some days after the first one is over is another alert, evaluated evening by evening.

const first = '2026-03-01'
const start = addDays(first, -200)
const smart: NewCondition = { kind: 'unusual', type: 'clicks', title: 'Site', monitor: 'site' }
/** Still finds the first outage for a week after it is over. */
const page: NewCondition = { type: 'ctr', title: 'CTR', monitor: 'pages', targets: ['/lamp'], threshold: 20 }
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-04-18T20:00:00Z')))
afterAll(() => evaluated.close())

for (const [name, rules, options] of [
  ['alone', [smart], { tags: 'full' }],
  ['with a part that outlasts it', [smart, page], {}],
] as const)
  test(`a site dies for five days, is back for five, and dies again: two alerts, ${name}`, options, async () => {
    const last = addDays(first, 14)
    const site = await evaluated.property(`https://${name.replaceAll(' ', '-')}.example/`, { through: last, rules })
    const isDown = (date: string) => (date >= first && date < addDays(first, 5)) || date >= addDays(first, 10)
    await site.store(start, last, (date) => {
      const usual = 400 + ((Date.parse(date) / 86_400_000) % 5) * 10
      return [{ page: '/lamp', clicks: isDown(date) ? 2 : usual, impressions: 10 * usual }]
    })
    await site.backfilled(start, start)
    evaluated.announced.length = 0
    const steps: string[] = []
    for (let day = -1; day <= 14; day += 1) {
      const through = addDays(first, day)
      await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
      await evaluated.alerts.evaluate('u', { ...site, completeThrough: through })
      for (const { opened, recovered } of evaluated.announced.splice(0))
        steps.push(...opened.map(() => `${day} opened`), ...recovered.map(() => `${day} recovered`))
    }
    // Ended on the third day that the site was back, or when its part ended, and reported anew on the first day of the second outage.
    expect(steps).toEqual(['0 opened', rules.length === 1 ? '7 recovered' : '8 recovered', '10 opened'])
    const all = (await site.list()).map(({ entity, severity, state }) => [entity.kind, severity, state])
    expect(all).toEqual([
      ['site', 'critical', 'firing'],
      ['site', 'critical', 'recovered'],
    ])
  })

test(
  'a page that stays gone after the first outage keeps its alert open, but the second outage is still reported',
  { tags: ['full'] },
  async () => {
    const last = addDays(first, 14)
    const gone: NewCondition = { type: 'impressions', title: 'Impressions', monitor: 'pages', targets: ['/gone'], threshold: 20 }
    const site = await evaluated.property('https://page-gone.example/', { through: last, rules: [smart, gone] })
    const isDown = (date: string) => (date >= first && date < addDays(first, 5)) || date >= addDays(first, 10)
    await site.store(start, last, (date) => {
      const usual = 400 + ((Date.parse(date) / 86_400_000) % 5) * 10
      const lamp = { page: '/lamp', clicks: isDown(date) ? 2 : usual, impressions: 10 * usual }
      return date < first ? [lamp, { page: '/gone', clicks: 4, impressions: 2_000 }] : [lamp]
    })
    await site.backfilled(start, start)
    evaluated.announced.length = 0
    const steps: string[] = []
    for (let day = -1; day <= 12; day += 1) {
      const through = addDays(first, day)
      await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
      await evaluated.alerts.evaluate('u', { ...site, completeThrough: through })
      for (const { opened, recovered } of evaluated.announced.splice(0))
        steps.push(...recovered.map(() => `${day} recovered`), ...opened.map(() => `${day} opened`))
    }
    expect(steps).toEqual(['0 opened', '10 recovered', '10 opened'])
    const all = (await site.list()).map(({ entity, state, findings }) => [entity.kind, state, findings.map((each) => each.entity.kind)])
    expect(all).toEqual([
      ['site', 'firing', ['site', 'page']],
      ['site', 'recovered', ['site']],
    ])
  },
)

test('a site that comes back to four fifths after two weeks has settled there, and that is no rise', async () => {
  const last = addDays(first, 40)
  const site = await evaluated.property('https://four-fifths.example/', { through: last, rules: [smart] })
  const back = addDays(first, 14)
  await site.store(start, last, (date) => {
    const usual = 400 + ((Date.parse(date) / 86_400_000) % 5) * 10
    const clicks = date < first ? usual : date < back ? 4 : 0.8 * usual
    return [{ page: '/lamp', clicks, impressions: 10 * usual }]
  })
  await site.backfilled(start, start)
  evaluated.announced.length = 0
  const steps: string[] = []
  // An evening on which the open alert is found again, and those after the return.
  for (const day of [-1, 0, 13, 14, 15, 16, 17, 20, 25, 28, 30, 32, 34, 36, 38, 40]) {
    const through = addDays(first, day)
    await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
    await evaluated.alerts.evaluate('u', { ...site, completeThrough: through })
    for (const { opened, recovered } of evaluated.announced.splice(0))
      steps.push(...opened.map(() => 'opened'), ...recovered.map(() => 'ended'))
  }
  expect(steps).toEqual(['opened', 'ended'])
  expect((await site.list()).map(({ ended }) => ended?.as)).toEqual(['settled'])
})

test.each([
  ['some days a little below that level are no second drop', 0.8, []],
  ['what it gains from there is a rise', 1.3, ['ended', 'opened']],
])('a site has settled, while one of its pages is still gone: %s', async (_, later, expected) => {
  const ofPage: NewCondition = {
    type: 'clicks',
    title: 'Page',
    monitor: 'pages',
    targets: ['/gone'],
    threshold: 20,
    comparison: 'previous_30_days',
  }
  const last = addDays(first, 28)
  const site = await evaluated.property(`https://page-gone-at-${later}.example/`, { through: last, rules: [smart, ofPage] })
  await site.store(start, last, (date) => {
    const usual = 400 + ((Date.parse(date) / 86_400_000) % 5) * 10
    if (date < first) return ['/lamp', '/gone'].map((name) => ({ page: name, clicks: name === '/gone' ? 20 : usual - 20 }))
    return [{ page: '/lamp', clicks: Math.round((date < addDays(first, 22) ? 0.86 : later) * usual) }]
  })
  await site.backfilled(start, start)
  const evaluatedOn = async (days: readonly number[]) => {
    for (const day of days) {
      const through = addDays(first, day)
      await sql`UPDATE property_syncs SET complete_through = ${through} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
      await evaluated.alerts.evaluate('u', { ...site, completeThrough: through })
    }
    return evaluated.announced
      .splice(0)
      .flatMap(({ opened, recovered }) => [...recovered.map(() => 'ended'), ...opened.map(() => 'opened')])
  }
  // On day 18, the site has settled.
  await evaluatedOn([1, 2, 9, 16, 18, 20])
  expect((await site.list()).map(({ findings }) => findings.map(({ entity }) => entity.kind))).toEqual([['site', 'page']])
  expect(await evaluatedOn([22, 23, 24, 25, 26])).toEqual(expected)
})
