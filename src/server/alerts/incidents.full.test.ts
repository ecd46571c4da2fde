import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { sites } from '../../../test/support/app.ts'
import { synced } from '../../../test/support/people.ts'
import { backtest, cases, expectFound, fields, scriptedIn } from '../../../test/support/scripted-incidents.ts'
import type { NewCondition } from '../../contract/alerts/conditions.ts'
import { isComparable } from '../../core/analytics/anomalies.ts'
import { addDays, daysBetween } from '../../core/analytics/days.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'
import { templates } from '../../core/alerting/templates.ts'

// The stand-in's scripted incidents, compared with the alerts over all sixteen months of the sample properties.

const test = appTest({ today: '2026-03-18' }).extend('scripted', { scope: 'file' }, async ({ app }) => {
  const demo = await app.demo()
  let through = ''
  for (const site of Object.values(sites)) through = (await synced(demo, site, 400_000)).completeThrough ?? ''
  return scriptedIn(app, through)
})

test.for(cases)('finds every scripted incident: $id by a rule about $rule.type ($rule.kind)', (one, { scripted }) =>
  expectFound(scripted, one),
)

describe('the quiet months are quiet', () => {
  // Nothing is scripted between 210 and 240 days before the start, nor in the weeks whose comparison would include it.
  const quiet = { from: addDays('2026-03-18', -262), to: addDays('2026-03-18', -218) }
  // Without "Only when unusual", as templates start, a lost ranking is one by its threshold alone: two in these weeks on the shop.
  const rules: [string, NewCondition][] = templates.map(({ id, condition }) => [id, fields({ ...condition, onlyUnusual: true })])

  test.for(Object.values(sites))('%s', async (site, { scripted }) => {
    const within: Record<string, number> = {}
    for (const [name, rule] of rules.filter(([, { monitor, type }]) => monitor === 'site' || type === 'position')) {
      const { days } = await backtest(scripted, site, rule)
      const alarms = days.filter(({ date }) => date >= quiet.from && date <= quiet.to)
      const alerts = alarms.reduce((sum, day) => sum + day.alerts, 0)
      if (alerts > 0) within[name] = alerts
    }
    expect(within).toEqual({})
  })

  test('the default rules, on the whole site, ten pages and twenty queries, open few alerts in six weeks', async ({ scripted }) => {
    const counts: Record<string, number> = {}
    for (const [label, site] of Object.entries(sites)) {
      for (const condition of defaultConditions) {
        const { days } = await backtest(scripted, site, fields(condition))
        const alarms = days.filter(({ date }) => date >= quiet.from && date <= quiet.to)
        counts[label] = (counts[label] ?? 0) + alarms.reduce((sum, day) => sum + day.alerts, 0)
      }
    }
    // Nothing is scripted in these weeks: each alert is a false one.
    expect(counts).toEqual({ shop: 0, blog: 0, local: 0 })
  })
})

test('the smart rule on clicks finds the start or the end of every scripted site-wide change, and nothing else', async ({ scripted }) => {
  const unusual = defaultConditions.find(({ kind }) => kind === 'unusual')!
  for (const [label, site] of Object.entries(sites)) {
    const ofSite = [...scripted.incidents.values()].filter(
      ({ property, page, query, start }) => property === label && page === null && query === null && start < scripted.through,
    )
    const { days } = await backtest(scripted, site, fields(unusual))
    const alarms = days.filter(({ alerts }) => alerts > 0).map(({ date }) => date)
    const isSoonAfter = (date: string, since: string, ramp: number): boolean => date >= since && daysBetween(since, date) <= 7 + ramp
    const missed = ofSite.filter(({ start, ramp }) => !alarms.some((date) => isSoonAfter(date, start, ramp)))
    const stray = alarms.filter(
      (date) => !ofSite.some(({ start, end, ramp }) => isSoonAfter(date, start, ramp) || isSoonAfter(date, addDays(end, 1), ramp)),
    )
    expect({ label, missed: missed.map(({ id }) => id), stray }).toEqual({ label, missed: [], stray: [] })
  }
})

test('CTR rules ignore a change that starts when Google begins to count differently', async ({ scripted }) => {
  const { start, page } = scripted.incidents.get('blog-ctr-collapse')!
  const week = (from: string) => ({ start: from, end: addDays(from, 6) })
  expect(isComparable('ctr', week(start), week(addDays(start, -7)))).toBe(false)
  const rule: NewCondition = { type: 'ctr', title: 'CTR drop', monitor: 'pages', targets: [page!] }
  const { days } = await backtest(scripted, sites.blog, rule)
  expect(days.filter(({ date }) => date >= start && date <= addDays(start, 13))).toEqual([])
})

test('alerts per month for each sample property, by rule', async ({ scripted }) => {
  const rules: [string, NewCondition][] = [
    ...defaultConditions.map((condition): [string, NewCondition] => [`default: ${condition.title}`, fields(condition)]),
    ...templates.map(({ name, condition }): [string, NewCondition] => [name, fields(condition)]),
  ]
  const perMonth: Record<string, Record<string, number>> = {}
  for (const [name, rule] of rules) {
    const counts: Record<string, number> = {}
    perMonth[name] = counts
    for (const [label, site] of Object.entries(sites)) {
      const { from, days } = await backtest(scripted, site, rule)
      const months = daysBetween(from!, scripted.through) / 30.4
      counts[label] = Number((days.reduce((sum, day) => sum + day.alerts, 0) / months).toFixed(2))
    }
  }
  expect(perMonth).toEqual({
    'default: Clicks drop': { shop: 1.39, blog: 0.31, local: 0.54 },
    'default: CTR drop': { shop: 0.08, blog: 0, local: 0 },
    'default: Impressions spike': { shop: 0.08, blog: 0.08, local: 0 },
    'default: Position drop': { shop: 0, blog: 0, local: 0 },
    'default: Unusual clicks': { shop: 0.13, blog: 0.07, local: 0.13 },
    'Ranking change': { shop: 0.39, blog: 0, local: 0.23 },
    'Traffic spike': { shop: 0.15, blog: 0.08, local: 0.08 },
    'New keyword': { shop: 0.23, blog: 0.39, local: 0 },
    'Lost ranking': { shop: 1.08, blog: 0.08, local: 0.46 },
    'New ranking page': { shop: 0.08, blog: 0.08, local: 0 },
    'Drop in impressions': { shop: 0.15, blog: 0, local: 0.23 },
    'Drop in clicks': { shop: 0.23, blog: 0, local: 0.31 },
    'CTR drop': { shop: 1.62, blog: 1.62, local: 1.54 },
    'Unusual pages': { shop: 0.77, blog: 0.42, local: 0.35 },
    'Unusual keywords': { shop: 1.53, blog: 0.14, local: 0.56 },
    'Unusual CTR': { shop: 0.07, blog: 0, local: 0 },
    'Unusual positions': { shop: 0.21, blog: 0, local: 0.07 },
  })
}, 240_000)
