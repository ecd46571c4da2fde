import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { type Alert, otherFindings } from '../../../contract/alerts/alerts.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { createLog } from '../../platform/log.ts'
import { wakeAlerts } from '../end-snoozes.ts'

// One cause is one alert: its other findings become parts of it.

const through = '2026-03-15'
const oldest = addDays(through, -200)
const pages: NewCondition = { type: 'clicks', title: 'Pages', monitor: 'pages', targets: ['/lamp'] }
const queries: NewCondition = { type: 'clicks', title: 'Queries', monitor: 'queries', targets: ['/lamp', '/rug'] }
const impressions: NewCondition = { type: 'impressions', title: 'Impressions', monitor: 'pages', targets: ['/lamp'] }
const wholeSite: NewCondition = { type: 'clicks', title: 'Site', monitor: 'site' }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

/** A site with one page that has lost nearly everything in the last week; the query that finds it has the same name. */
async function siteThatLost(rules: readonly NewCondition[], rug = 100) {
  const site = await evaluated.property(`https://site${++sites}.example/`, { through, rules })
  await site.store(oldest, through, (date) => [
    { page: '/lamp', clicks: date > addDays(through, -7) ? 5 : 100 },
    { page: '/rug', clicks: date > addDays(through, -7) ? rug : 100 },
    { page: '/chair', clicks: 400 },
  ])
  await site.backfilled(oldest, oldest)
  evaluated.announced.length = 0
  return site
}
const named = ({ type, entity }: Pick<Alert, 'type' | 'entity'>): string => `${type} ${entity.kind} ${entity.name}`
const shown = (all: readonly Alert[]) => all.map((alert) => [named(alert), otherFindings(alert).map(named)])
const statesOf = async (site: { id: number }) => {
  const { rows } = await sql<{ name: string; state: string }>`
    SELECT entity_name AS name, state FROM alerts WHERE property_id = ${site.id} ORDER BY part_of IS NOT NULL, id`.execute(
    evaluated.stores.db,
  )
  return rows.map(({ state }) => state)
}
const idsOf = async (site: { id: number; list(): Promise<Alert[]> }): Promise<[lead: string, part: string]> => {
  const [lead] = await site.list()
  const { rows } = await sql<{ id: string }>`SELECT id::text FROM alerts WHERE part_of = ${lead?.id}`.execute(evaluated.stores.db)
  return [lead?.id ?? '', rows[0]?.id ?? '']
}
const announced = () => evaluated.announced.map(({ opened, recovered }) => [opened.length, recovered.length])

test('a dead page with its query and its impressions is one alert, sent, listed and counted once', async () => {
  const site = await siteThatLost([queries, impressions, pages])
  expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 1 })
  const all = await site.list()
  expect(shown(all)).toEqual([['clicks page /lamp', ['clicks query /lamp', 'impressions page /lamp']]])
  expect(announced()).toEqual([[1, 0]])
  expect(await evaluated.alerts.count('u', { propertyId: site.id, state: 'open' })).toBe(1)
  expect(await evaluated.alerts.openCounts([site.id])).toEqual(new Map([[site.id, 1]]))
  expect(all[0]?.findings.map(({ id, title }) => [id === all[0]?.id, title])).toEqual([
    [true, 'Clicks dropped: /lamp'],
    [false, 'Clicks dropped: “/lamp”'],
    [false, 'Impressions dropped: /lamp'],
  ])
  const [message] = await evaluated.alerts.forMessages([all[0]?.id ?? ''])
  expect(message?.findings?.map(({ title }) => title)).toEqual(['Clicks dropped: “/lamp”', 'Impressions dropped: /lamp'])
})

test('another cause is a separate alert', async () => {
  const site = await siteThatLost([queries, pages], 5)
  await evaluated.alerts.evaluate('u', site)
  expect(shown(await site.list()).toSorted()).toEqual([
    ['clicks page /lamp', ['clicks query /lamp']],
    ['clicks query /rug', []],
  ])
})

test('later findings join the alert, without another notification', async () => {
  const site = await siteThatLost([pages])
  await evaluated.alerts.evaluate('u', site)
  await evaluated.alerts.conditions.create(site, queries)
  expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 0 })
  expect(shown(await site.list())).toEqual([['clicks page /lamp', ['clicks query /lamp']]])
  expect(announced()).toEqual([[1, 0]])
})

test('a page found days after its query takes in the alert about that query', { tags: ['full'] }, async () => {
  const site = await siteThatLost([{ ...queries, targets: ['/lamp'] }])
  await evaluated.alerts.evaluate('u', site)
  expect(shown(await site.list())).toEqual([['clicks query /lamp', []]])
  await evaluated.alerts.conditions.create(site, pages)
  await evaluated.alerts.evaluate('u', site)
  expect(shown(await site.list())).toEqual([['clicks page /lamp', ['clicks query /lamp']]])
})

test(
  'another query of the same page joins the alert that its first one opened, without another notification',
  { tags: ['full'] },
  async () => {
    const site = await evaluated.property(`https://site${++sites}.example/`, { through, rules: [{ ...queries, targets: ['desk lamp'] }] })
    await site.store(oldest, through, (date) =>
      ['desk lamp', 'floor lamp'].map((query) => ({ page: '/lamp', query, clicks: date > addDays(through, -7) ? 5 : 100 })),
    )
    await site.backfilled(oldest, oldest)
    evaluated.announced.length = 0
    await evaluated.alerts.evaluate('u', site)
    await evaluated.alerts.conditions.create(site, { ...queries, targets: ['floor lamp'] })
    expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 0 })
    expect(shown(await site.list())).toEqual([['clicks query desk lamp', ['clicks query floor lamp']]])
    expect(announced()).toEqual([[1, 0]])
  },
)

test("alerts already sent become parts of the whole site's alert", { tags: ['full'] }, async () => {
  const site = await siteThatLost([pages], 5)
  await evaluated.alerts.evaluate('u', site)
  await evaluated.alerts.conditions.create(site, wholeSite)
  expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 1 })
  expect(shown(await site.list())).toEqual([['clicks site ' + site.name, ['clicks page /lamp']]])
})

test(
  "a drop of the whole site that is over isn't sent again because of pages whose week still includes it",
  { tags: ['full'] },
  async () => {
    // Four days without clicks: the week has three of them at its end, and the week before has one.
    const [first, last, now] = ['2026-03-10', '2026-03-13', '2026-03-17']
    const site = await evaluated.property(`https://site${++sites}.example/`, { through: last, rules: [{ ...wholeSite, threshold: 40 }] })
    const days = (date: string, of: number) => (date < first || date > last ? of : 0)
    await site.store(oldest, now, (date) => [
      { page: '/lamp', clicks: days(date, 1_000) },
      { page: '/rug', clicks: date < first ? 1_000 : 100 },
      { page: '/chair', clicks: days(date, date > last ? 20_000 : 9_000) },
    ])
    await site.backfilled(oldest, oldest)
    evaluated.announced.length = 0
    await evaluated.alerts.evaluate('u', site)
    const later = { ...site, completeThrough: now }
    await sql`UPDATE property_syncs SET complete_through = ${now} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
    await evaluated.alerts.evaluate('u', later)
    expect(announced()).toEqual([
      [1, 0],
      [0, 1],
    ])
    await evaluated.alerts.conditions.create(later, { ...pages, targets: ['/lamp', '/rug'], threshold: 10 })
    await evaluated.alerts.evaluate('u', later)
    expect((await site.list()).map((alert) => [named(alert), alert.state])).toEqual([
      [`clicks site ${site.name}`, 'recovered'],
      ['clicks page /rug', 'firing'],
    ])
  },
)

test('the alert lasts as long as one of its parts; if it ends because its rules changed, nobody is notified', async () => {
  const site = await siteThatLost([pages, queries])
  await evaluated.alerts.evaluate('u', site)
  const [alert] = await site.list()
  // The page's rule is satisfied, its query's isn't.
  await evaluated.alerts.conditions.change('u', site.rules[0]?.id ?? '', { threshold: 99 })
  await evaluated.alerts.evaluate('u', site)
  expect((await site.list()).map(({ state }) => state)).toEqual(['firing'])
  await evaluated.alerts.conditions.change('u', site.rules[1]?.id ?? '', { threshold: 99 })
  // The part ends first.
  await evaluated.alerts.evaluate('u', site)
  await evaluated.alerts.evaluate('u', site)
  expect((await site.list()).map(({ id, state }) => [id, state])).toEqual([[alert?.id, 'recovered']])
  expect(announced()).toEqual([[1, 0]])
})

test('parts of an alert whose rule is deleted become separate again', { tags: ['full'] }, async () => {
  const site = await siteThatLost([pages, queries])
  await evaluated.alerts.evaluate('u', site)
  await evaluated.alerts.conditions.remove('u', site.rules[0]?.id ?? '')
  await evaluated.alerts.evaluate('u', site)
  expect((await site.list()).map((alert) => [named(alert), alert.state])).toEqual([
    ['clicks page /lamp', 'recovered'],
    ['clicks query /lamp', 'firing'],
  ])
})

test('parts of an alert whose rule becomes about something else are separate at once', { tags: ['full'] }, async () => {
  const reAimed = async () => {
    const site = await siteThatLost([pages, queries])
    await evaluated.alerts.evaluate('u', site)
    await evaluated.alerts.conditions.change('u', site.rules[0]?.id ?? '', { targets: ['/chair'] })
    return site
  }
  const states = (all: readonly Alert[]) => all.map((alert) => [named(alert), alert.state, otherFindings(alert).map(named)])
  const alone = await reAimed()
  await evaluated.alerts.evaluate('u', alone)
  expect(states(await alone.list())).toEqual([
    ['clicks page /lamp', 'recovered', []],
    ['clicks query /lamp', 'firing', []],
  ])
  // What is found in the same evaluation takes them in.
  const found = await reAimed()
  await evaluated.alerts.conditions.create(found, pages)
  await evaluated.alerts.evaluate('u', found)
  expect(states(await found.list()).toSorted()).toEqual([
    ['clicks page /lamp', 'firing', ['clicks query /lamp']],
    ['clicks page /lamp', 'recovered', []],
  ])
})

test('a part is acknowledged and snoozed with its alert, whichever of them is named', async () => {
  const site = await siteThatLost([pages, queries])
  await evaluated.alerts.evaluate('u', site)
  const [lead, part] = await idsOf(site)
  expect(await evaluated.alerts.acknowledge('u', part)).toMatchObject({ id: part, state: 'acknowledged' })
  expect(await statesOf(site)).toEqual(['acknowledged', 'acknowledged'])
  const until = new Date(evaluated.clock.at.getTime() + 3_600_000)
  expect(await evaluated.alerts.snooze('u', part, until)).toMatchObject({ id: part, state: 'snoozed' })
  expect(await site.list()).toMatchObject([{ id: lead, state: 'snoozed', snoozedUntil: until.toISOString() }])
  await evaluated.alerts.unsnooze('u', part)
  expect(await statesOf(site)).toEqual(['firing', 'firing'])
  await evaluated.alerts.acknowledgeAll('u', [lead])
  expect(await statesOf(site)).toEqual(['acknowledged', 'acknowledged'])
  expect((await evaluated.alerts.report('u', lead)).timeline.map(({ to }) => to)).toEqual([
    'firing',
    'acknowledged',
    'snoozed',
    'firing',
    'acknowledged',
  ])
})

test('when a snooze ends, the alert says so once, and its parts wake silently', { tags: ['full'] }, async () => {
  const site = await siteThatLost([pages, queries])
  await evaluated.alerts.evaluate('u', site)
  const [lead, part] = await idsOf(site)
  evaluated.announced.length = 0
  const now = evaluated.clock.at
  await evaluated.alerts.snooze('u', part, new Date(now.getTime() + 3_600_000))
  evaluated.clock.at = new Date(now.getTime() + 2 * 3_600_000)
  await wakeAlerts({ db: evaluated.stores.db, events: evaluated.events, log: createLog('silent') }, evaluated.clock.at)
  evaluated.clock.at = now
  expect(await statesOf(site)).toEqual(['firing', 'firing'])
  expect(evaluated.announced.map(({ woken }) => woken.map(({ alertId }) => alertId))).toEqual([[lead]])
})

const severityIn = async (site: { list(): Promise<Alert[]> }) => (await site.list()).map(({ severity, entity }) => [entity.kind, severity])

test('an alert is as severe as its most severe part when it opens, even if that was sent before', { tags: ['full'] }, async () => {
  const site = await siteThatLost([pages])
  await evaluated.alerts.evaluate('u', site)
  expect(await severityIn(site)).toEqual([['page', 'critical']])
  await evaluated.alerts.conditions.create(site, { ...wholeSite, threshold: 10 })
  await evaluated.alerts.evaluate('u', site)
  expect(await severityIn(site)).toEqual([['site', 'critical']])
})

test('an alert becomes as severe as a part that joins it later, and stays so', { tags: ['full'] }, async () => {
  const site = await siteThatLost([{ ...wholeSite, threshold: 10 }])
  await evaluated.alerts.evaluate('u', site)
  expect(await severityIn(site)).toEqual([['site', 'warning']])
  await evaluated.alerts.conditions.create(site, impressions)
  expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 0 })
  expect(await severityIn(site)).toEqual([['site', 'critical']])
  await sql`UPDATE alert_watches SET judged_version = NULL WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
  await evaluated.alerts.evaluate('u', site)
  expect(await severityIn(site)).toEqual([['site', 'critical']])
  // Its own figures are those of a warning: only the part may be worth waking somebody for.
  const { rows } = await sql`SELECT part_of IS NULL AS lead, figures->>'interrupts' AS interrupts FROM alerts
    WHERE property_id = ${site.id} ORDER BY id`.execute(evaluated.stores.db)
  expect(rows).toEqual([
    { lead: true, interrupts: 'false' },
    { lead: false, interrupts: 'true' },
  ])
  // Announced once, when it joined.
  const [{ id } = { id: '' }] = await site.list()
  expect(evaluated.announced.flatMap(({ worsened }) => worsened)).toMatchObject([
    { alertId: id, severity: 'critical', interrupts: true, isConnection: false, isMoreUrgent: true },
  ])
})

test('an alert becomes as severe and as urgent as a part that gets worse', { tags: ['full'] }, async () => {
  const site = await siteThatLost([{ ...wholeSite, threshold: 10 }, impressions])
  await evaluated.alerts.evaluate('u', site)
  expect(shown(await site.list())).toEqual([[`clicks site ${site.name}`, ['impressions page /lamp']]])
  evaluated.announced.length = 0
  // As if both had been milder on the evening before.
  await sql`UPDATE alerts SET severity = 'warning', figures = jsonb_set(figures, '{current}', '1') WHERE property_id = ${site.id}`.execute(
    evaluated.stores.db,
  )
  await evaluated.alerts.evaluate('u', site)
  expect(await severityIn(site)).toEqual([['site', 'critical']])
  expect(evaluated.announced.map(({ opened, worsened }) => [opened.length, worsened.length])).toEqual([[0, 1]])

  evaluated.announced.length = 0
  // As if both had been critical on the evening before, but nothing to interrupt anybody for.
  await sql`UPDATE alerts SET figures = figures || '{"interrupts": false, "current": 1}' WHERE property_id = ${site.id}`.execute(
    evaluated.stores.db,
  )
  await evaluated.alerts.evaluate('u', site)
  expect(evaluated.announced.map(({ worsened }) => worsened.map(({ interrupts }) => interrupts))).toEqual([[true]])
})

test('two rules that find the same make one alert that names both, and its rating counts for both', async () => {
  const also: NewCondition = { ...pages, title: 'Pages again', threshold: 40 }
  const site = await siteThatLost([pages, also])
  expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 1 })
  const [alert] = await site.list()
  const rules = async () => (await evaluated.alerts.report('u', alert?.id ?? '')).rules.map(({ title }) => title)
  expect(await rules()).toEqual(['Pages', 'Pages again'])
  // Another rule finds it while it is open.
  await evaluated.alerts.conditions.create(site, { ...pages, title: 'Pages later', threshold: 50 })
  expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 0 })
  expect(await rules()).toEqual(['Pages', 'Pages again', 'Pages later'])
  expect((await evaluated.alerts.report('u', alert?.id ?? '')).rules[0]?.id).toBe(alert?.conditionId)

  await evaluated.alerts.rate({ userId: 'u', id: Number(alert?.id) }, 'useful', 'app')
  expect((await evaluated.alerts.conditions.list(site)).map(({ title, rated }) => [title, rated])).toEqual(
    ['Pages', 'Pages again', 'Pages later'].map((title) => [title, { useful: 1, of: 1 }]),
  )
  await evaluated.alerts.conditions.remove('u', site.rules[1]?.id ?? '')
  expect(await rules()).toEqual(['Pages', 'Pages later'])
})

test('an open alert of a threshold rule never becomes milder', { tags: ['full'] }, async () => {
  const now = addDays(through, 3)
  const site = await evaluated.property(`https://site${++sites}.example/`, {
    through,
    rules: [{ ...pages, comparison: 'previous_30_days' }],
  })
  // Three days later, the last week has lost less than 20% instead of 95%.
  await site.store(oldest, now, (date) => [
    { page: '/lamp', clicks: date <= addDays(through, -7) ? 100 : date <= through ? 5 : 165 },
    { page: '/chair', clicks: 400 },
  ])
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.evaluate('u', site)
  const shownNow = async () => (await site.list()).map(({ severity, change, state }) => [severity, Math.round(change ?? 0), state])
  expect(await shownNow()).toEqual([['critical', -95, 'firing']])
  // As if its clicks hadn't been worth waking somebody.
  await sql`UPDATE alerts SET figures = figures || '{"interrupts": false}' WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
  evaluated.announced.length = 0
  await sql`UPDATE property_syncs SET complete_through = ${now} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
  await evaluated.alerts.evaluate('u', { ...site, completeThrough: now })
  const [after] = await shownNow()
  expect(after?.[0]).toBe('critical')
  expect(after?.[1]).toBeGreaterThan(-30)
  expect(after?.[2]).toBe('firing')
  // Nor does it become more urgent because it is milder by now.
  expect(evaluated.announced.flatMap(({ worsened }) => worsened)).toEqual([])
})

test('reports of a period have an alert with its findings once', { tags: ['full'] }, async () => {
  const site = await siteThatLost([queries, impressions, pages])
  await evaluated.alerts.evaluate('u', site)
  const period = { start: '2026-03-01', end: '2026-03-31' }
  const { count, alerts } = await evaluated.alerts.during('u', site.id, { period, segment: null }, 10, 'owner')
  expect([count, alerts.map(({ title }) => title)]).toEqual([1, ['Clicks dropped: /lamp']])
})
