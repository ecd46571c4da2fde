import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { type Alert, otherFindings } from '../../../contract/alerts/alerts.ts'
import { addDays } from '../../../core/analytics/days.ts'

// Two rules that find the same thing make one alert, which outlives the rule it belongs to.

const through = '2026-03-15'
const oldest = addDays(through, -200)
const pages: NewCondition = { type: 'clicks', title: 'Pages', monitor: 'pages', targets: ['/lamp'] }
const also: NewCondition = { ...pages, title: 'Pages again', threshold: 40 }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

/** A site with one page that has lost nearly everything in the last week; the query that finds it has the same name. */
async function siteThatLost(rules: readonly NewCondition[]): Promise<EvaluatedSite> {
  const site = await evaluated.property(`https://site${++sites}.example/`, { through, rules })
  await site.store(oldest, through, (date) => [
    { page: '/lamp', clicks: date > addDays(through, -7) ? 5 : 100 },
    { page: '/chair', clicks: 400 },
  ])
  await site.backfilled(oldest, oldest)
  evaluated.announced.length = 0
  await evaluated.alerts.evaluate('u', site)
  return site
}
/** The rule an alert belongs to, and the others that find it. */
const rulesOf = async ({ id }: Alert) => (await evaluated.alerts.report('u', id)).rules.map(({ title }) => title)
const reasonsOf = async ({ id }: Alert) => (await evaluated.alerts.report('u', id)).timeline.map(({ reason }) => reason)
const announced = () => evaluated.announced.map(({ opened, recovered }) => [opened.length, recovered.length])

test.each([
  ['is turned off', (id: string) => evaluated.alerts.conditions.change('u', id, { isEnabled: false }), ['Pages again', 'Pages']],
  ...inFull([
    ['is deleted', (id: string) => evaluated.alerts.conditions.remove('u', id), ['Pages again']],
    [
      'is about other pages',
      (id: string) => evaluated.alerts.conditions.change('u', id, { targets: ['/chair'] }),
      ['Pages again', 'Pages'],
    ],
    ['is about queries', (id: string) => evaluated.alerts.conditions.change('u', id, { monitor: 'queries' }), ['Pages again', 'Pages']],
  ]),
] as const)('an alert whose rule %s goes on as that of another rule that finds it', async (_, happens, rules) => {
  const site = await siteThatLost([pages, also])
  const [alert] = await site.list()
  if (!alert) throw new Error('no alert')
  expect(alert.conditionId).toBe(site.rules[0]?.id)
  await evaluated.alerts.acknowledge('u', alert.id)
  await evaluated.alerts.rate({ userId: 'u', id: Number(alert.id) }, 'useful', 'app')

  await happens(site.rules[0]?.id ?? '')
  const kept = { id: alert.id, state: 'acknowledged', conditionId: site.rules[1]?.id, verdict: 'useful' }
  expect(await site.list()).toMatchObject([kept])
  await evaluated.alerts.evaluate('u', site)
  expect((await site.list()).filter(({ entity }) => entity.kind === 'page')).toMatchObject([kept])
  expect(await rulesOf(alert)).toEqual(rules)
  expect(await reasonsOf(alert)).toEqual(['condition_met', 'acknowledged', 'verdict_useful', 'handed_over'])
  // A query that the changed rule finds joins it.
  expect(announced()).toEqual([[1, 0]])
})

test.each([['all pages', 'all pages of a segment', 0], ...inFull([['all pages of a segment', 'all pages', 1] as const])] as const)(
  'an alert of a rule about %s goes on as that of a rule about %s',
  async (_, _heir, owner) => {
    const [row] = await evaluated.stores.db
      .insertInto('savedExplorations')
      .values({ userId: 'u', kind: 'segment', name: `Lamps ${owner}`, content: 'page starts /lamp', createdAt: new Date() })
      .returning('id')
      .execute()
    const top = { monitor: 'top_pages', targets: undefined } as const
    const rules: NewCondition[] = [
      { ...pages, ...top },
      { ...also, ...top, segment: String(row!.id) },
    ]
    const site = await siteThatLost(owner === 0 ? rules : rules.toReversed())
    const [alert] = await site.list()
    if (!alert) throw new Error('no alert')
    expect(alert.conditionId).toBe(site.rules[0]?.id)
    await evaluated.alerts.acknowledge('u', alert.id)

    await evaluated.alerts.conditions.change('u', site.rules[0]?.id ?? '', { isEnabled: false })
    await evaluated.alerts.evaluate('u', site)
    const [only, ...others] = await site.list()
    expect(others).toEqual([])
    expect(only).toMatchObject({ id: alert.id, state: 'acknowledged', conditionId: site.rules[1]?.id })
    expect(only?.segment).toBe(owner === 0 ? `Lamps ${owner}` : undefined)
    expect(announced()).toEqual([[1, 0]])
  },
)

test('an alert that no active rule finds ends with its rule', async () => {
  const site = await siteThatLost([pages, also])
  await evaluated.alerts.conditions.change('u', site.rules[1]?.id ?? '', { isEnabled: false })
  await evaluated.alerts.conditions.change('u', site.rules[0]?.id ?? '', { isEnabled: false })
  const [alert] = await site.list()
  expect(alert).toMatchObject({ state: 'recovered', conditionId: site.rules[0]?.id })
})

test('a rule that gets another page keeps its alerts', { tags: ['full'] }, async () => {
  const site = await siteThatLost([pages, also])
  await evaluated.alerts.conditions.change('u', site.rules[0]?.id ?? '', { targets: ['/lamp', '/chair'] })
  expect(await site.list()).toMatchObject([{ state: 'firing', conditionId: site.rules[0]?.id }])
})

test('parts of an alert that ends with its rule are listed and counted at once', { tags: ['full'] }, async () => {
  const site = await siteThatLost([pages, { ...pages, title: 'Queries', monitor: 'queries' }])
  const [alert] = await site.list()
  expect(alert && otherFindings(alert).map(({ entity }) => entity.kind)).toEqual(['query'])
  await evaluated.alerts.conditions.remove('u', site.rules[0]?.id ?? '')
  expect((await site.list()).map(({ entity, state }) => [entity.kind, state]).toSorted()).toEqual([
    ['page', 'recovered'],
    ['query', 'firing'],
  ])
  expect(await evaluated.alerts.count('u', { propertyId: site.id, state: 'open' })).toBe(1)
  const { rows } = await sql`SELECT FROM alerts WHERE property_id = ${site.id} AND part_of IS NOT NULL`.execute(evaluated.stores.db)
  expect(rows).toEqual([])
})

test('deleting a rule reports at once what its alert about the whole site covered', { tags: ['full'] }, async () => {
  const site = await siteThatLost([{ ...pages, title: 'Site', monitor: 'site', targets: [] }, pages])
  const firing = async () => (await site.list()).flatMap(({ entity, state }) => (state === 'firing' ? [entity.kind] : []))
  expect(await firing()).toEqual(['site'])
  await evaluated.alerts.runDue()
  await evaluated.alerts.conditions.remove('u', site.rules[0]?.id ?? '')
  await evaluated.alerts.runDue()
  expect(await firing()).toEqual(['page'])
})
