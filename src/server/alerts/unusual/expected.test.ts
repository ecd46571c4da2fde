import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { type Alert, type AlertReport, alertReport } from '../../../contract/alerts/alerts.ts'
import { addDays } from '../../../core/analytics/days.ts'

// Alerts beyond a threshold have an expected value, a band, a first day and a rarity, where the past suffices.

const through = '2026-03-15'
const lostFrom = addDays(through, -4)
const lamp: NewCondition = { type: 'clicks', title: 'Page', monitor: 'pages', targets: ['/lamp'] }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

/** A page and its query (of the same name) that vary by a few percent, and lose clicks, CTR and position in the last five days. */
async function siteThatLost(rule: NewCondition, days = 300): Promise<EvaluatedSite> {
  const site = await evaluated.property(`https://expected${++sites}.example/`, { through, rules: [rule] })
  const oldest = addDays(through, -days)
  await site.store(oldest, through, (date) => {
    const usual = 100 + (Number(date.slice(-2)) % 7)
    const lost = date >= lostFrom
    return [
      {
        page: '/lamp',
        clicks: lost ? 20 : usual,
        impressions: 1_000,
        position: lost && rule.type === 'position' ? 12 : 3 + (usual % 3) / 10,
      },
      { page: '/chair', clicks: 400 },
    ]
  })
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.evaluate('u', site)
  return site
}
async function alertOf(site: EvaluatedSite): Promise<Alert> {
  const [first] = await site.list()
  if (!first) throw new Error('no alert')
  return first
}
const reportOf = async ({ id }: Alert): Promise<AlertReport> => alertReport.parse(await evaluated.alerts.report('u', id))

test.each<[string, NewCondition, number]>([
  ['clicks', lamp, 720],
  ...inFull<[string, NewCondition, number]>([
    ['impressions', { ...lamp, type: 'impressions' }, 7_000],
    ['CTR', { type: 'ctr', title: 'CTR', monitor: 'queries', targets: ['/lamp'] }, 0.1],
    ['position', { type: 'position', title: 'Position', monitor: 'queries', targets: ['/lamp'] }, 3],
  ]),
])('an alert about %s beyond a threshold says what was expected, when it began, and how rare it is', async (_, rule, usual) => {
  const isShown = rule.type === 'impressions'
  const site = isShown ? await siteThatLostImpressions(rule) : await siteThatLost(rule)
  const alert = await alertOf(site)
  const { expected, firstDay, unusual, openedWith } = alert
  expect(unusual).toBeUndefined()
  expect(expected?.value).toBeGreaterThan(usual * 0.85)
  expect(expected?.value).toBeLessThan(usual * 1.15)
  expect(expected?.low).toBeLessThanOrEqual(expected?.value ?? 0)
  expect(expected?.high).toBeGreaterThanOrEqual(expected?.value ?? 0)
  expect(expected?.months).toBeGreaterThan(3)
  expect([firstDay, openedWith]).toEqual([lostFrom, through])

  const report = await reportOf(alert)
  expect(report.firstDay).toBe(lostFrom)
  expect(report.expectation?.firstDay).toBe(lostFrom)
  const inBand = report.series.filter(({ date, value }) => {
    const day = report.expectation?.days.find((each) => each.date === date)
    return day && value !== null && day.low <= value && value <= day.high
  })
  expect(inBand.length).toBeGreaterThan(20)
  expect(inBand.every(({ date }) => date < lostFrom)).toBe(true)
  const [message] = await evaluated.alerts.forMessages([alert.id])
  expect(message).toMatchObject({ expected, firstDay })
})

async function siteThatLostImpressions(rule: NewCondition): Promise<EvaluatedSite> {
  const site = await evaluated.property(`https://expected${++sites}.example/`, { through, rules: [rule] })
  const oldest = addDays(through, -300)
  await site.store(oldest, through, (date) => [
    { page: '/lamp', clicks: 10, impressions: date >= lostFrom ? 200 : 1_000 + (Number(date.slice(-2)) % 7) },
    { page: '/chair', clicks: 400 },
  ])
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.evaluate('u', site)
  return site
}

test('nothing is said about what was expected while the history is too short', async () => {
  const alert = await alertOf(await siteThatLost(lamp, 20))
  expect(alert).not.toHaveProperty('expected')
  expect(alert).not.toHaveProperty('firstDay')
  expect((await reportOf(alert)).expectation).toBeUndefined()
})

test('with weeks instead of months of history, nothing is said about how rare it is', async () => {
  const { expected } = await alertOf(await siteThatLost(lamp, 60))
  expect(expected).toEqual({ value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) })
})

test('the first day of an alert stays, while its window moves on', { tags: ['full'] }, async () => {
  const site = await siteThatLost(lamp)
  const later = addDays(through, 1)
  await site.store(later, later, () => [
    { page: '/lamp', clicks: 20, impressions: 1_000, position: 12 },
    { page: '/chair', clicks: 400 },
  ])
  await sql`UPDATE property_syncs SET complete_through = ${later}, facts_version = facts_version + 1 WHERE property_id = ${site.id}`.execute(
    evaluated.stores.db,
  )
  await evaluated.alerts.evaluate('u', { ...site, completeThrough: later })
  expect(await alertOf(site)).toMatchObject({ firstDay: lostFrom, openedWith: through, current: { end: later } })
})
