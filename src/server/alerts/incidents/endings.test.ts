import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { ConditionChange, NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays } from '../../../core/analytics/days.ts'

// How an alert ended is stored with it, and shown wherever it is.

const through = '2026-03-01'
const oldest = addDays(through, -200)
const last = addDays(through, 14)
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

/** A page of 100 clicks a day that has 40 in the week that is evaluated first, and later ones as given, with its open alert. */
async function fallen(later: number) {
  const rules: NewCondition[] = [{ type: 'clicks', title: 'Pages', monitor: 'pages', targets: ['/lamp'] }]
  const site = await evaluated.property(`https://ends${++sites}.example/`, { through, rules })
  await site.store(oldest, last, (date) => [
    { page: '/lamp', clicks: date <= addDays(through, -7) ? 100 : date <= through ? 40 : later },
    { page: '/chair', clicks: 400 },
  ])
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.evaluate('u', site)
  evaluated.announced.length = 0
  const evaluate = async (day: string) => {
    await sql`UPDATE property_syncs SET complete_through = ${day} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
    await evaluated.alerts.evaluate('u', { ...site, completeThrough: day })
  }
  const ended = async () => {
    const [alert] = await site.list()
    const [message] = await evaluated.alerts.forMessages([alert?.id ?? ''])
    expect(message?.ended).toEqual(alert?.ended)
    expect(alert?.findings[0]?.ended).toEqual(alert?.ended)
    return alert?.ended
  }
  return { site, evaluate, ended, announcedEnds: () => evaluated.announced.flatMap(({ recovered }) => recovered).length }
}

test('a metric that came back has recovered', async () => {
  const { evaluate, ended, announcedEnds } = await fallen(100)
  expect(await ended()).toBeUndefined()
  await evaluate(last)
  expect(await ended()).toEqual({ as: 'recovered', at: '2026-03-18T20:00:00.000Z', reason: 'back' })
  expect(announcedEnds()).toBe(1)
})

test('one that stayed where it was has settled at a new level, with both figures', async () => {
  const { site, evaluate, ended, announcedEnds } = await fallen(40)
  await evaluate(last)
  expect(await ended()).toMatchObject({ as: 'settled', reason: 'new_level', level: { value: 280, before: 700, days: 7 } })
  expect(announcedEnds()).toBe(1)
  const [alert] = await site.list()
  const { timeline } = await evaluated.alerts.report('u', alert?.id ?? '')
  expect(timeline.at(-1)).toMatchObject({ reason: 'new_level', detail: '280 clicks a week, was 700.' })
})

test('one that settled while a part of it lasted ends at that level, though it has dropped again by then', { tags: ['full'] }, async () => {
  const rules: NewCondition[] = [
    { type: 'clicks', title: 'Pages', monitor: 'pages', targets: ['/lamp'] },
    { type: 'clicks', title: 'Queries', monitor: 'queries', targets: ['desk lamp'] },
  ]
  const site = await evaluated.property(`https://ends${++sites}.example/`, { through, rules })
  const again = addDays(last, 7)
  /** The page's clicks by the query that is monitored, and by the other one. */
  const clicksOn = (date: string): [number, number] => {
    if (date <= addDays(through, -7)) return [60, 40]
    if (date <= addDays(last, -7)) return [30, 10]
    return date <= last ? [10, 30] : [2, 3]
  }
  await site.store(oldest, again, (date) => [
    ...clicksOn(date).map((clicks, i) => ({ page: '/lamp', query: i === 0 ? 'desk lamp' : 'lamp', clicks })),
    { page: '/chair', clicks: 400 },
  ])
  await site.backfilled(oldest, oldest)
  const evaluate = async (day: string) => {
    await sql`UPDATE property_syncs SET complete_through = ${day} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
    await evaluated.alerts.evaluate('u', { ...site, completeThrough: day })
  }
  await evaluate(through)
  await evaluate(last)
  const [alert] = await site.list()
  expect([alert?.state, alert?.findings.length]).toEqual(['firing', 2])
  const timeline = async () => (await evaluated.alerts.report('u', alert?.id ?? '')).timeline.map(({ reason, detail }) => [reason, detail])
  expect((await timeline()).at(-1)).toEqual(['own_new_level', '280 clicks a week, was 700.'])
  await evaluate(again)
  expect((await timeline()).at(-1)).toEqual(['new_level', '280 clicks a week, was 700.'])
  const over = (await site.list()).find(({ id }) => id === alert?.id)
  expect([over?.state, over?.ended?.level]).toEqual(['recovered', { value: 280, before: 700, days: 7 }])
})

test(
  'renaming a rule, or saving it as it was, changes nothing; an edit that ends an alert does so silently',
  { tags: ['full'] },
  async () => {
    // Five days later: 11% less than the week before, which is below the threshold, and not halfway back.
    const { site, evaluate, ended, announcedEnds } = await fallen(55)
    const edited = async (change: ConditionChange) => {
      evaluated.clock.at = new Date(evaluated.clock.at.getTime() + 60_000)
      await evaluated.alerts.conditions.change('u', site.rules[0]?.id ?? '', change)
      await evaluate(addDays(through, 5))
      return [(await site.list())[0]?.state, (await ended())?.reason, announcedEnds()]
    }
    expect(await edited({ title: 'Pages that matter' })).toEqual(['firing', undefined, 0])
    expect(await edited({ title: 'Pages', monitor: 'pages', targets: ['/lamp'], isEnabled: true })).toEqual(['firing', undefined, 0])
    expect(await edited({ threshold: 40 })).toEqual(['recovered', 'rule_changed', 0])
  },
)

test('the end with a changed or deleted rule is stored, and nobody is notified of it', { tags: ['full'] }, async () => {
  for (const [reason, change] of [
    ['rule_changed', (id: string) => evaluated.alerts.conditions.change('u', id, { threshold: 99 })],
    ['rule_off', (id: string) => evaluated.alerts.conditions.change('u', id, { isEnabled: false })],
    ['rule_deleted', (id: string) => evaluated.alerts.conditions.remove('u', id)],
  ] as const) {
    const { site, evaluate, ended, announcedEnds } = await fallen(40)
    // The clock stands still.
    await sql`UPDATE alerts SET judged_at = judged_at - interval '1 hour' WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
    await change(site.rules[0]?.id ?? '')
    await evaluate(through)
    expect([await ended(), announcedEnds()]).toMatchObject([{ as: 'ended', reason }, 0])
  }
})
