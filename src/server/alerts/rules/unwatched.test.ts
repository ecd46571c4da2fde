import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type JudgedSite, type JudgedSites, openJudgedSites } from '../../../../test/support/judged-sites.ts'
import { addDays } from '../../../core/analytics/days.ts'

// Alerts of properties that are watched no longer, on the real stores without the rest of the server.

const through = '2026-03-15'
const hourMs = 3_600_000
let judged: JudgedSites
let people = 0
beforeAll(async () => void (judged = await openJudgedSites('2026-03-18T20:00:00Z')))
afterAll(() => judged.close())
beforeEach(() => void (judged.told.length = 0))

/** A site with an alert that lasts, of which its owner was told. */
async function alerted(): Promise<JudgedSite> {
  const rules = [{ type: 'clicks', title: 'Drop in clicks', monitor: 'site' }] as const
  const site = await judged.property(`https://site-${++people}.example/`, { through, rules })
  await site.store(addDays(through, -100), through, (date) => [{ page: '/', clicks: date > addDays(through, -7) ? 200 : 1_000 }])
  await site.backfilled(addDays(through, -100), addDays(through, -100))
  await judged.alerts.runDue()
  expect(await site.list()).toMatchObject([{ state: 'firing' }])
  judged.told.length = 0
  return site
}
const set = (site: JudgedSite, values: { monitored: boolean; detachedAt?: Date; pausedAt?: Date | null }) =>
  judged.stores.db.updateTable('properties').set(values).where('id', '=', site.id).execute()
const only = async (site: JudgedSite) => (await site.list())[0]!
const snooze = async (site: JudgedSite, hours: number) =>
  judged.alerts.snooze('u', (await only(site)).id, new Date(judged.clock.at.getTime() + hours * hourMs))
async function later(hours: number): Promise<void> {
  judged.clock.at = new Date(judged.clock.at.getTime() + hours * hourMs)
  await judged.alerts.runDue()
}

test.each([
  ['given up', async (site: JudgedSite) => set(site, { monitored: false })],
  ['disconnected', async (site: JudgedSite) => set(site, { monitored: false, detachedAt: judged.clock.at })],
])('an alert of a site that is %s ends, snoozed or not, and nobody is told', async (_, leave) => {
  const [plain, snoozed] = [await alerted(), await alerted()]
  await snooze(snoozed, 1)
  for (const site of [plain, snoozed]) await leave(site)
  await later(2)
  expect(judged.told).toEqual([])
  for (const site of [plain, snoozed]) {
    await set(site, { monitored: false })
    await judged.stores.db.updateTable('properties').set({ detachedAt: null }).where('id', '=', site.id).execute()
    const { id, state } = await only(site)
    expect(state).toBe('recovered')
    expect((await judged.alerts.report('u', id)).timeline.at(-1)).toMatchObject({ to: 'recovered', reason: 'not_monitored', by: null })
  }
})

test('an alert of a site that a smaller plan pauses lasts, and when it goes on nothing is opened or told anew', async () => {
  const site = await alerted()
  const { id } = await only(site)
  await set(site, { monitored: false, pausedAt: judged.clock.at })
  await later(24)
  expect(await only(site)).toMatchObject({ id, state: 'firing' })
  await set(site, { monitored: true, pausedAt: null })
  await later(24)
  expect(await judged.alerts.evaluate('u', 'all')).toEqual({ count: 0, leftOut: 0 })
  expect(await only(site)).toMatchObject({ id, state: 'firing' })
  expect(judged.told).toEqual([])
})

test('a snooze that ends while its site is paused wakes when the site goes on', async () => {
  const site = await alerted()
  await snooze(site, 1)
  await set(site, { monitored: false, pausedAt: judged.clock.at })
  await later(2)
  expect(judged.told).toEqual([])
  expect(await only(site)).toMatchObject({ state: 'snoozed' })
  await set(site, { monitored: true, pausedAt: null })
  await later(0)
  expect(await only(site)).toMatchObject({ state: 'firing' })
  expect(judged.told).toMatchObject([{ propertyId: site.id, woken: [(await only(site)).id] }])
})
