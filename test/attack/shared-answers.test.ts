import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Filter } from '../../src/contract/explore/explore.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import { createAnalyticsService } from '../../src/server/analytics/service.ts'
import { createEventBus } from '../../src/server/common/events.ts'
import { forTenant, newTenancy, runAs, serverTenant } from '../../src/server/platform/tenant.ts'
import { alertsServiceOn } from '../support/alerts-service.ts'
import { type EvaluatedSites, openEvaluatedSites } from '../support/evaluated-sites.ts'

// Somebody who makes their own line for ClickHouse long, and then has everybody else's work wait in it.

const through = '2026-03-15'
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

/** A property that lost half of its clicks, with a rule limited to a segment; its expression is checked anew by a server just started. */
async function fallingSite() {
  const { db, facts } = evaluated.stores
  const pattern = `^/lamp${(sites += 1)}$`
  const segment = await db
    .insertInto('savedExplorations')
    .values({ userId: 'u', kind: 'segment', name: `Lamps ${sites}`, content: `page matches ${pattern}`, createdAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const site = await evaluated.property(`https://falling${sites}.example/`, {
    through,
    rules: [{ type: 'clicks', threshold: 20, title: 'Lamps', monitor: 'site', segment: String(segment.id) }],
  })
  const page = `/lamp${sites}`
  await site.store(addDays(through, -60), through, (date) => [{ page, clicks: date > addDays(through, -7) ? 100 : 200 }])
  await site.backfilled(addDays(through, -60), addDays(through, -60))
  const clock = { now: () => evaluated.clock.at }
  const analytics = createAnalyticsService({ db, facts, events: createEventBus(), clock })
  const where: Filter[] = [{ field: 'page', operator: 'matches', not: false, value: pattern }]
  return { site, analytics, where, alerts: alertsServiceOn({ db, facts, clock, analytics }) }
}

/** Slow queries that somebody has waiting, and how many of them are left. */
function longLine(tenant: string, length: number) {
  const stop = new AbortController()
  let left = length
  const query = 'SELECT sleep(0.2)'
  const ask = () => evaluated.stores.facts.ask((client) => client.query({ query, abort_signal: stop.signal }))
  const all = forTenant(tenant, () =>
    Array.from({ length }, () =>
      ask()
        .catch(() => undefined)
        .then(() => (left -= 1)),
    ),
  )
  const end = async () => {
    stop.abort(new Error('left'))
    await Promise.all(all)
  }
  onTestFinished(end)
  return { left: () => left, end }
}

test('the check of an expression that waits in a long line of its own account holds up no evaluation', async () => {
  const { site, analytics, where, alerts } = await fallingSite()
  const line = longLine('u', 400)
  await nextTurn()
  const begun = forTenant('u', () => analytics.within(site, 'page', where, 'web'))
  await alerts.runDue()
  expect(await site.list()).toHaveLength(1)
  await begun
  expect(line.left()).toBeGreaterThan(200)
})

test('an evaluation that must wait ends with its job, and gives back its property and its place', { tags: ['full'] }, async () => {
  const { site, alerts } = await fallingSite()
  const line = longLine(serverTenant, 400)
  await nextTurn()
  const jobs = Array.from({ length: 4 }, () => new AbortController())
  const running = jobs.map(({ signal }) => alerts.runDue(signal).catch(() => undefined))
  await expect.poll(() => line.left()).toBeLessThan(395)
  expect(await site.list()).toHaveLength(0)
  for (const job of jobs) job.abort(new Error('expired'))
  await Promise.all(running)
  expect(line.left()).toBeGreaterThan(200)
  await line.end()
  await alerts.runDue()
  expect(await site.list()).toHaveLength(1)
})

test(
  'a file of a shared link, a report or new periods go before the queries of their own account, through every cache',
  { tags: ['full'] },
  async () => {
    const { site, analytics, where } = await fallingSite()
    const line = longLine('u', 400)
    await nextTurn()
    const slot = { ...newTenancy(undefined, 'u'), holdsSlot: true }
    const property = { ...site, completeThrough: through }
    const [latest] = await runAs(slot, () => forTenant('u', () => analytics.periodic.periods(property, 'week')))
    await runAs(slot, () => analytics.periodic.figures(property, 'week', latest!, []))
    await runAs(slot, () => analytics.prepare(property, () => true))
    await runAs(slot, () => analytics.within(site, 'page', where, 'web'))
    expect(line.left()).toBeGreaterThan(200)
  },
)
