import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, select, synced } from '../../../test/support/people.ts'
import { backtest, fields, scriptedIn } from '../../../test/support/scripted-incidents.ts'
import type { NewCondition } from '../../contract/alerts/conditions.ts'
import { defaultConditions } from '../../core/alerting/defaults.ts'
import { templates } from '../../core/alerting/templates.ts'
import { isComparable } from '../../core/analytics/anomalies.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'

// The day on which Google corrected its count of impressions, in months without scripted incidents: the stand-in's figures step there.

const step = '2026-04-28'
const quiet = 'https://quiet.example/'
const falling = 'https://falling.example/'
/** Days on which everything at `falling` falls by half: in the week of the step, and in a week counted like those before it. */
const drops = { acrossStep: '2026-04-29', later: '2026-06-22' }
const week = (start: string) => ({ start, end: addDays(start, 6) })

const test = appTest({ today: '2026-12-09', demo: false }).extend('scripted', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [quiet]: 'blog', [falling]: 'local' }, plan: 'agency' })
  for (const start of Object.values(drops))
    for (const day of eachDay(start, addDays(start, 6))) await app.google.revise(falling, day, { factor: 0.5 })
  let through = ''
  for (const site of [quiet, falling]) {
    await select(owner, site)
    through = (await synced(owner, site, 400_000)).completeThrough ?? ''
  }
  return scriptedIn(app, through, owner)
})

/** The default rules and the templates, each in both directions and with no restriction but its threshold. */
const rules: [string, NewCondition][] = [...defaultConditions, ...templates.map(({ condition }) => condition)]
  .filter(({ kind, monitor }) => (kind === 'change' || kind === 'unusual') && monitor !== 'new_content' && monitor !== 'queries')
  .map((condition) => [condition.title, { ...fields(condition), direction: 'both', onlyUnusual: false, isEnabled: true }])
const siteWide = (type: NewCondition['type'], threshold: number): NewCondition => ({
  type,
  title: type,
  monitor: 'site',
  direction: 'both',
  threshold,
  thresholdUnit: type === 'position' ? 'positions' : '%',
})
/** For a week that ends on one of these days, the week before was counted differently, or part of it was. */
const across = eachDay(step, addDays(step, 12))

test('on that day impressions, CTR and position pass every threshold, and clicks stay', async ({ scripted: { app } }) => {
  const [before, after] = await Promise.all(
    [week(addDays(step, -7)), week(step)].map(async (days) => (await app.google.totals({ site: quiet, ...days })).total),
  )
  expect(after!.impressions / before!.impressions).toBeLessThan(0.8)
  expect(after!.ctr / before!.ctr).toBeGreaterThan(1.2)
  expect(before!.position! - after!.position!).toBeGreaterThan(0.5)
  expect(Math.abs(after!.clicks / before!.clicks - 1)).toBeLessThan(0.1)
})

test('no rule on impressions, CTR or position alerts across the step, in either direction', { timeout: 120_000 }, async ({ scripted }) => {
  const strict = (['impressions', 'ctr'] as const).map((type): [string, NewCondition] => [`site: ${type}`, siteWide(type, 10)])
  const touched = [...rules, ...strict].filter(([, { type }]) => type !== 'clicks')
  expect(touched.length).toBeGreaterThan(6)
  const alerted: string[] = []
  for (const site of [quiet, falling])
    for (const [name, rule] of touched) {
      const { days } = await backtest(scripted, site, rule)
      alerted.push(...days.filter(({ date, alerts }) => across.includes(date) && alerts > 0).map(({ date }) => `${site} ${name} ${date}`))
    }
  expect(alerted).toEqual([])
})

test('the clicks rule and the smart rule both find a real drop in clicks in that week', async ({ scripted }) => {
  const unusual = defaultConditions.find(({ kind }) => kind === 'unusual')!
  for (const rule of [siteWide('clicks', 15), fields(unusual)]) {
    const { days } = await backtest(scripted, falling, rule)
    const alerts = days.filter(({ date, alerts: count }) => count > 0 && date >= drops.acrossStep && date <= addDays(drops.acrossStep, 6))
    expect([rule.kind ?? 'change', alerts.length]).toEqual([rule.kind ?? 'change', 1])
  }
  const { days } = await backtest(scripted, quiet, fields(unusual))
  expect(days.filter(({ date }) => across.includes(date))).toEqual([])
})

test('two months later, the impressions rule also finds the same drop', async ({ scripted }) => {
  const [drop, before] = [week(drops.later), week(addDays(drops.later, -7))]
  expect(isComparable('impressions', drop, before)).toBe(true)
  const { days } = await backtest(scripted, falling, siteWide('impressions', 25))
  const within = (start: string) => days.filter(({ date, alerts }) => alerts > 0 && date >= start && date <= addDays(start, 6)).length
  expect([within(drops.acrossStep), within(drops.later)]).toEqual([0, 1])
})
