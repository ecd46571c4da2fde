import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { NewCondition } from '../../src/contract/alerts/conditions.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import { TookTooLong, TooMuchAtOnce } from '../../src/server/platform/clickhouse/clickhouse-errors.ts'
import { TooManyRequests } from '../../src/server/platform/fair-share.ts'
import { type EvaluatedSites, openEvaluatedSites } from '../support/evaluated-sites.ts'
import { until } from '../support/until.ts'
import { entityFigures } from '../../src/server/facts/questions/entity-figures.ts'
import { entityDays } from '../../src/server/facts/questions/entity-days.ts'
import { entityWeeks } from '../../src/server/facts/questions/entity-weeks.ts'

// An account whose rules, evaluations and backtests read and store without end, or keep everybody else waiting.

const through = '2026-03-15'
const oldest = addDays(through, -200)
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

const pages = (count: number, clicks: (at: number) => number = () => 20) =>
  Array.from({ length: count }, (_, at) => ({ page: `/${at}`, clicks: clicks(at) }))
const newPage = (title: string): NewCondition => ({ type: 'position', kind: 'new_page', title, monitor: 'site', threshold: 10 })
const newQuery = (title: string): NewCondition => ({ ...newPage(title), kind: 'new_query' })
const gone = pages(300).map(({ page, clicks }) => ({ page: `/gone${page}`, clicks }))
const lostQuery: NewCondition = { ...newPage('Lost'), kind: 'lost_query' }
const goneFrom = (at: number): NewCondition => ({
  type: 'clicks',
  title: `Gone from ${at}`,
  monitor: 'pages',
  targets: gone.slice(at, at + 100).map(({ page }) => page),
})
const all = { state: 'all' } as const

/** A site with 300 pages and queries that never existed before, and 300 that are gone. */
async function flooded(name: string, rules: readonly NewCondition[]) {
  const site = await evaluated.property(name, { through, rules })
  await site.store(oldest, through, (date) => [
    { page: '/', clicks: 100 },
    ...(date > addDays(through, -5) ? pages(300) : []),
    ...(date > addDays(through, -7) ? [] : gone),
  ])
  await site.backfilled(oldest, oldest)
  const stored = () => evaluated.alerts.count('u', { ...all, propertyId: site.id })
  return { ...site, stored }
}

/** Leaves only these properties to be evaluated. */
async function onlyDue(...sites: readonly { id: number }[]): Promise<void> {
  const ids = sites.map(({ id }) => id)
  await evaluated.stores.db.updateTable('properties').set({ monitored: false }).where('id', 'not in', ids).execute()
}

describe('alerts', () => {
  test(
    'of one rule are limited to a hundred at a time, and its owner sees how many more findings there were',
    { tags: ['full'] },
    async () => {
      const site = await flooded('https://one-rule.example/', [newPage('New pages')])
      expect(await evaluated.alerts.evaluate('u', site)).toEqual({ count: 100, leftOut: 200 })
      // However often it is evaluated.
      for (let turn = 0; turn < 3; turn += 1) expect(await evaluated.alerts.evaluate('u', site)).toEqual({ count: 0, leftOut: 200 })
      expect(await site.stored()).toBe(100)
      expect(await evaluated.alerts.conditions.list(site)).toMatchObject([{ leftOut: 200, problem: null }])
      // If all had one cause, a list of hundreds of such alerts would show a few of each, and how many more there are.
      const { db } = evaluated.stores
      await sql`UPDATE alerts SET part_of = first.id FROM (SELECT min(id) AS id FROM alerts WHERE property_id = ${site.id}) AS first
      WHERE property_id = ${site.id} AND alerts.id <> first.id`.execute(db)
      const [listed, ...others] = await site.list()
      expect(others).toEqual([])
      expect(listed).toMatchObject({ findings: { length: 4 }, moreFindings: 96 })
      expect(await evaluated.alerts.report('u', listed?.id ?? '')).toMatchObject({ findings: { length: 51 }, moreFindings: 49 })
    },
  )

  test(
    'of one property are limited to five hundred new ones a day, however many rules it has and however often they change',
    { tags: ['full'] },
    async () => {
      const rules = [newPage('Pages'), newQuery('Queries'), lostQuery, goneFrom(0), goneFrom(100), goneFrom(200)]
      const site = await flooded('https://many-rules.example/', rules)
      expect(await evaluated.alerts.evaluate('u', site)).toEqual({ count: 500, leftOut: 3 * 200 + 100 })
      // Switching a rule off ends its alerts; switching it on, or creating it again, may open others.
      for (const { id } of site.rules.slice(0, 3)) {
        for (const isEnabled of [false, true]) await evaluated.alerts.conditions.change('u', id, { isEnabled })
      }
      for (const { id } of site.rules.slice(3)) await evaluated.alerts.conditions.remove('u', id)
      for (const at of [0, 100, 200]) await evaluated.alerts.conditions.create(site, { ...goneFrom(at), title: 'Made again' })
      expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 0 })
      expect(await site.stored()).toBe(500)
      // The next day there is room again.
      evaluated.clock.at = new Date(evaluated.clock.at.getTime() + 86_400_000)
      expect(await evaluated.alerts.evaluate('u', site)).toMatchObject({ count: 500 })
    },
  )

  test('cover the largest changes, and a change of the whole site keeps only its largest parts', { tags: ['full'] }, async () => {
    const drop: NewCondition = { type: 'clicks', title: 'Drop', monitor: 'site' }
    const lost = [0, 1, 2].map((at): NewCondition => ({
      type: 'clicks',
      title: `Pages ${at}`,
      monitor: 'pages',
      targets: pages(180)
        .slice(at * 60, at * 60 + 60)
        .map(({ page }) => page),
    }))
    const site = await evaluated.property('https://falls.example/', { through, rules: [drop, ...lost] })
    await site.store(oldest, through, (date) => pages(180, (at) => (date > addDays(through, -7) ? 0 : 10 + at)))
    await site.backfilled(oldest, oldest)
    expect(await evaluated.alerts.evaluate('u', site)).toEqual({ count: 1, leftOut: 0 })
    const [alert] = await site.list()
    const { contributors } = await evaluated.alerts.report('u', alert?.id ?? '')
    expect(contributors).toHaveLength(100)
    expect(contributors[0]?.entity.name).toBe('/179')
    expect(contributors.at(-1)?.entity.name).toBe('/80')
  })
})

describe('names thousands of characters long', { tags: ['full'] }, () => {
  const long = (at: number) => `${String(at).padStart(4, '0')}${'x'.repeat(2_044)}`
  /** Queries of which none is left in the last week. */
  const lost = Array.from({ length: 2_000 }, (_, at) => ({ page: long(at), clicks: 20 }))

  test(
    'that rules find are kept in memory only while there is room; the other rules say why, and nobody else is kept waiting',
    { tags: ['full'] },
    async () => {
      const rules = [10, 11, 12].map((threshold): NewCondition => ({ ...lostQuery, title: `Lost ${threshold}`, threshold }))
      const site = await evaluated.property('https://names.example/', { through, rules })
      await site.store(oldest, through, (date) => (date === addDays(through, -8) ? lost : [{ page: '/', clicks: 100 }]))
      await site.backfilled(oldest, oldest)
      const other = await flooded('https://beside-names.example/', [newPage('New pages')])
      await onlyDue(site, other)
      await evaluated.alerts.runDue()
      expect(await site.list()).toHaveLength(100)
      expect(await other.stored()).toBe(100)
      const problem = expect.stringMatching(
        /^This rule could not be checked: the names of the pages or keywords .* too long in total\. Raise its minimum/,
      )
      expect((await evaluated.alerts.conditions.list(site)).map(({ problem: said }) => said)).toEqual([null, problem, problem])
      expect(await evaluated.alerts.conditions.list(other)).toMatchObject([{ problem: null }])
      // Neither is due again at once.
      const due = await evaluated.stores.db
        .selectFrom('alertConditions')
        .where('propertyId', '=', site.id)
        .where('retryAt', '<=', evaluated.clock.at)
        .select('id')
        .execute()
      expect(due).toEqual([])
      evaluated.meanwhile.happens = () => Promise.reject(new Error('evaluated again'))
      await evaluated.alerts.runDue()
      evaluated.meanwhile.happens = async () => undefined
      expect((await evaluated.alerts.conditions.list(other)).map(({ problem: said }) => said)).toEqual([null])
    },
  )

  test('of several properties that are too many for one question are read in several', { tags: ['full'] }, async () => {
    const rule: NewCondition = { type: 'clicks', kind: 'unusual', title: 'Unusual', monitor: 'all_pages' }
    const sites = []
    for (const name of ['one', 'two', 'three']) {
      const site = await evaluated.property(`https://${name}.example/`, { through, rules: [rule] })
      await site.store(oldest, through, () => [{ page: '/', clicks: 100 }])
      await site.backfilled(oldest, oldest)
      const date = addDays(through, -20)
      const load = await evaluated.stores.facts.beginLoad(site.id, 'web')
      const rows = lost.map(({ page }) => ({ date, keys: [page.replaceAll('x', '語')], clicks: 200, impressions: 2_000, position: 3 }))
      await load.write('page', rows)
      await load.publish(new Map([['page', [date]]]))
      sites.push(site)
    }
    const ids = sites.map(({ id }) => id)
    const question = { grain: 'page', end: through, weeks: 10, metric: 'clicks', least: 100 } as const
    await expect(evaluated.stores.facts.ask(entityWeeks, { ...question, properties: ids })).rejects.toBeInstanceOf(TooMuchAtOnce)
    await onlyDue(...sites)
    await evaluated.alerts.runDue()
    for (const site of sites) expect(await evaluated.alerts.conditions.list(site)).toMatchObject([{ problem: null }])
    const watches = evaluated.stores.db.selectFrom('alertWatches').where('propertyId', 'in', ids).select('judgedThrough')
    expect(await watches.execute()).toEqual(ids.map(() => ({ judgedThrough: through })))
  })

  test('make a backtest name fewer findings, those of the latest days', async () => {
    const site = await evaluated.property('https://tried-names.example/', { through })
    // Fifteen new ones on each of sixty days.
    const shown = lost.slice(0, 900).map((each, at) => ({ ...each, date: addDays(through, -(at % 60)) }))
    await site.store(oldest, through, (day) => [{ page: '/', clicks: 100 }, ...shown.filter(({ date }) => date === day)])
    const { days } = await evaluated.alerts.backtest('u', site, newPage('New pages'))
    expect(days.length).toBeGreaterThan(50)
    expect(days.at(-1)?.entities.length).toBeGreaterThan(0)
    expect(days[0]).toMatchObject({ alerts: 15, entities: [] })
    expect(days.flatMap(({ entities }) => entities).join('').length).toBeLessThanOrEqual(1_000_000)
  })
})

test("a property that can't be evaluated doesn't keep others from being evaluated, and its rules say so", { tags: ['full'] }, async () => {
  const [broken, sound] = [
    await flooded('https://broken.example/', [newPage('New')]),
    await flooded('https://sound.example/', [newPage('New')]),
  ]
  await onlyDue(broken, sound)
  let asked = 0
  // What is read of a single property: its daily figures.
  evaluated.meanwhile.daily = async () => {
    asked += 1
    if (asked === 1) throw new Error('unreadable')
  }
  await evaluated.alerts.runDue()
  evaluated.meanwhile.daily = async () => undefined
  expect([await broken.stored(), await sound.stored()].toSorted((a, b) => a - b)).toEqual([0, 100])
  const rules = [...(await evaluated.alerts.conditions.list(broken)), ...(await evaluated.alerts.conditions.list(sound))]
  expect(rules.filter(({ problem }) => problem !== null)).toMatchObject([{ problem: expect.stringContaining("We'll try again") }])
})

test('a rule about everything that ranks reads the 2,000 with the most impressions', async () => {
  const site = await evaluated.property('https://ranks.example/', { through })
  await site.store(through, through, () => pages(2_100, (at) => 1 + at))
  const windows = [{ start: through, end: through }]
  const pick = { by: 'ranked', span: { start: through, end: through }, position: 10, impressions: 1 } as const
  const rows = await evaluated.stores.facts.ask(entityFigures, { grain: 'query', properties: [site.id], windows, pick, named: [] })
  expect(rows).toHaveLength(2_000)
  expect(Math.min(...rows.map(({ clicks: [clicks = 0] }) => clicks))).toBe(101)
})

test('requested evaluations wait for one another, and due ones run meanwhile', { tags: ['full'] }, async () => {
  const rules: NewCondition[] = [{ type: 'clicks', title: 'Drop', monitor: 'site' }]
  const [site, another] = [await flooded('https://pressed.example/', rules), await flooded('https://due.example/', rules)]
  const held = Promise.withResolvers<void>()
  let asked = 0
  evaluated.meanwhile.happens = async () => {
    asked += 1
    if (asked === 1) await held.promise
  }
  const pressed = Array.from({ length: 12 }, () => evaluated.alerts.evaluate('u', site))
  // One is running and ten wait: the first to settle is the refused one.
  await expect(Promise.race(pressed)).rejects.toThrow(TooManyRequests)
  await until(
    async () => asked,
    (times) => times > 0,
  )
  expect(asked).toBe(1)
  // The blocked one isn't among those due: its lock is held.
  await onlyDue(another)
  await evaluated.alerts.runDue()
  const watch = await evaluated.stores.db
    .selectFrom('alertWatches')
    .where('propertyId', '=', another.id)
    .select('judgedVersion')
    .executeTakeFirst()
  expect(watch?.judgedVersion).not.toBeNull()
  held.resolve()
  expect((await Promise.allSettled(pressed)).filter(({ status }) => status === 'rejected')).toHaveLength(1)
  evaluated.meanwhile.happens = async () => undefined
})

describe('a rule about unusual clicks', () => {
  const unusual: NewCondition = { type: 'clicks', kind: 'unusual', title: 'Unusual clicks' }

  test(
    'on a small site whose file claims four billion clicks for its last day opens one alert, and nobody waits',
    { tags: ['full'] },
    async () => {
      const site = await evaluated.property('https://billions.example/', { through, rules: [unusual] })
      await site.store(oldest, through, (date) => pages(4, () => (date === through ? 1_000_000_000 : 1)))
      await site.backfilled(oldest, oldest)
      expect(await evaluated.alerts.evaluate('u', site)).toEqual({ count: 1, leftOut: 0 })
      expect((await evaluated.alerts.backtest('u', site, unusual)).days.map(({ date }) => date)).toEqual([through])
    },
  )

  test('is evaluated and backtested over decades of history', { tags: ['full'] }, async () => {
    const site = await evaluated.property('https://decades.example/', { through, rules: [unusual] })
    // Decades are too many months for one statement.
    for (const year of [1990, 1998, 2006, 2014, 2022])
      await site.store(`${year}-01-01`, year === 2022 ? through : `${year + 7}-12-31`, () => pages(1, () => 100))
    await site.backfilled('1990-01-01', '1990-01-01')
    expect(await evaluated.alerts.evaluate('u', site)).toEqual({ count: 0, leftOut: 0 })
    expect(await evaluated.alerts.backtest('u', site, unusual)).toMatchObject({ through, days: [], alertsAYear: 0 })
  })
})

describe('backtests', () => {
  test('hold a limited number of days of figures, and list a limited number of findings', async () => {
    const site = await evaluated.property('https://long.example/', { through })
    // A file with one day of 1990 makes a history of 13,000 days.
    await site.store('1990-01-01', '1990-01-01', () => [{ page: '/', clicks: 1 }])
    await site.store(oldest, through, (date) => [{ page: '/', clicks: 100 }, ...(date > addDays(through, -5) ? pages(300) : [])])
    const span = { start: '1990-01-01', end: through }
    for (const pick of [
      { by: 'appeared', impressions: 1 },
      { by: 'shown', impressions: 1 },
      { by: 'ever top', count: 10, days: 7 },
    ] as const) {
      const found = await evaluated.stores.facts.ask(entityDays, { grain: 'page', properties: [site.id], span, pick })
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThanOrEqual(75)
    }
    const { days } = await evaluated.alerts.backtest('u', site, newPage('New pages'))
    expect(days.reduce((sum, { alerts }) => sum + alerts, 0)).toBe(75)
    expect(Math.max(...days.map(({ entities }) => entities.length))).toBe(20)
  })

  test('of a short history look at a limited number of pages', async () => {
    const site = await evaluated.property('https://short.example/', { through })
    await site.store(addDays(through, -6), through, (date) => (date === through ? pages(5_500) : []))
    const span = { start: addDays(through, -6), end: through }
    const pick = { by: 'shown', impressions: 1 } as const
    expect(await evaluated.stores.facts.ask(entityDays, { grain: 'page', properties: [site.id], span, pick })).toHaveLength(5_000)
  })

  test('of one user run one at a time and are refused if too many wait; others get theirs meanwhile', { tags: ['full'] }, async () => {
    const site = await flooded('https://tried.example/', [])
    const held = Promise.withResolvers<void>()
    let under = 0
    evaluated.meanwhile.daily = async () => {
      under += 1
      await held.promise
    }
    const tried = Array.from({ length: 12 }, () => evaluated.alerts.backtest('u', site, newPage('New pages')))
    await expect(Promise.race(tried)).rejects.toThrow(TooManyRequests)
    await until(
      async () => under,
      (count) => count > 0,
    )
    expect(under).toBe(1)
    evaluated.meanwhile.daily = async () => undefined
    expect((await evaluated.alerts.backtest('other', site, newPage('New pages'))).days).toHaveLength(1)
    held.resolve()
    expect((await Promise.allSettled(tried)).filter(({ status }) => status === 'rejected')).toHaveLength(1)
  })
})

describe('the questions of an account', () => {
  const named = (title: string, threshold: number): NewCondition => ({ ...lostQuery, title, threshold })
  const problemsOf = async (site: { id: number; name: string }) =>
    (await evaluated.alerts.conditions.list({ ...site })).map(({ problem }) => problem)
  const dueAgain = ({ id }: { id: number }) =>
    sql`UPDATE property_syncs SET facts_version = facts_version + 1 WHERE property_id = ${id}`.execute(evaluated.stores.db)
  /** A site that lost a query. */
  async function losing(name: string, rules: readonly NewCondition[]) {
    const site = await evaluated.property(name, { through, rules })
    await site.store(oldest, through, (date) => [
      { page: '/', clicks: 100 },
      ...(date > addDays(through, -7) ? [] : [{ page: '/gone', clicks: 20 }]),
    ])
    await site.backfilled(oldest, oldest)
    return site
  }
  const evaluatedVersion = async ({ id }: { id: number }) =>
    (await evaluated.stores.db.selectFrom('alertWatches').where('propertyId', '=', id).select('judgedVersion').executeTakeFirst())
      ?.judgedVersion

  test('may take a minute per evaluation, then it rests, and nobody else waits for it', { tags: ['full'] }, async () => {
    const slow = await losing('https://slow-rules.example/', [named('First', 7), named('Second', 8)])
    const other = await losing('https://of-another.example/', [named('Of another', 9)])
    const { db } = evaluated.stores
    await sql`INSERT INTO users (id, name, email) VALUES ('v', 'v', 'v@example.test')`.execute(db)
    await sql`INSERT INTO people (user_id, plan) VALUES ('v', 'agency')`.execute(db)
    await db.updateTable('properties').set({ userId: 'v' }).where('id', '=', other.id).execute()
    await onlyDue(slow, other)

    vi.useFakeTimers({ toFake: ['performance'] })
    let questions = 0
    evaluated.meanwhile.happens = async () => void (questions++ === 0 && vi.advanceTimersByTime(70_000))
    onTestFinished(() => {
      vi.useRealTimers()
      evaluated.meanwhile.happens = async () => undefined
    })
    await evaluated.alerts.runDue()
    expect(await problemsOf(slow)).toEqual([null, expect.stringMatching(/takes too long/)])
    expect(await problemsOf(other)).toEqual([null])
    expect(await evaluated.alerts.count('v', { ...all, propertyId: other.id })).toBe(1)

    const before = await evaluatedVersion(slow)
    for (const site of [slow, other]) await dueAgain(site)
    await evaluated.alerts.runDue()
    expect(await evaluatedVersion(slow)).toBe(before)
    expect(await evaluatedVersion(other)).not.toBe(before)
    vi.advanceTimersByTime(700_000)
    await evaluated.alerts.runDue()
    expect(await evaluatedVersion(slow)).not.toBe(before)
  })

  test("that take too long don't count as an outage: their rules say so, and everybody else is evaluated", { tags: ['full'] }, async () => {
    const slow = await losing('https://too-slow.example/', [named('Too slow', 5)])
    const other = await losing('https://evaluated-after-it.example/', [named('In time', 6)])
    await onlyDue(slow, other)
    let questions = 0
    evaluated.meanwhile.happens = async () => {
      if (questions++ === 0) throw new TookTooLong('Timeout exceeded: elapsed 20 seconds')
    }
    onTestFinished(() => void (evaluated.meanwhile.happens = async () => undefined))
    await evaluated.alerts.runDue()
    expect(await problemsOf(slow)).toEqual([expect.stringMatching(/takes too long. Monitor specific pages or keywords instead./)])
    expect(await problemsOf(other)).toEqual([null])
    expect(await other.list()).toHaveLength(1)
  })
})
