import { expect, test } from 'vitest'
import { addDays, eachDay } from '../analytics/days.ts'
import { backtest } from './backtest.ts'
import { defaultOf } from './defaults.ts'
import { ruleOf } from './options.ts'
import type { Rule } from './rule.ts'
import { seriesOf } from './series.ts'

const start = '2024-01-01'
const days = 420
const through = addDays(start, days - 1)
const byDefault = ruleOf('r', defaultOf('clicks', 'change'))

/** A page whose weeks vary: every other week has `low` of the clicks. */
const pageOf = (low: number, lost = 1, factorOf: (i: number) => number = () => 1) => {
  const day = Array.from({ length: days }, (_, i) => i)
  const clicks = day.map((i) => Math.round(100 * (Math.floor(i / 7) % 2 === 0 ? 1 : low) * (i >= days - 7 ? lost : 1) * factorOf(i)))
  const zeros = day.map(() => 0)
  return seriesOf(
    { name: '/lamp', day, clicks, impressions: clicks.map((each) => each * 20), positionSum: zeros, rankedImpressions: zeros },
    start,
    days,
  )
}
const tried = (page: ReturnType<typeof pageOf>, changes: Partial<Rule> = {}) =>
  backtest(
    { ...byDefault, monitor: 'pages', targets: ['/lamp'], minimumImpressions: 0, ...changes },
    [page],
    { completeDays: new Set(eachDay(start, through)), from: start },
    through,
    async () => {},
  )
const alerts = ({ days: all }: Awaited<ReturnType<typeof tried>>) => all.flatMap(({ findings }) => findings)
const silenced = ({ days: all }: Awaited<ReturnType<typeof tried>>) => all.flatMap((day) => day.silenced)

test('the switch silences what a volatile page does every other week, and marks those days', async () => {
  const [on, off] = [await tried(pageOf(0.6)), await tried(pageOf(0.6), { onlyUnusual: false })]
  expect(silenced(on).length).toBeGreaterThan(10)
  expect(alerts(on)).toEqual([])
  expect(on.days.every(({ findings, silenced: quiet }) => findings.length === 0 && quiet.length > 0)).toBe(true)
  // Off, the same changes are alerts, and nothing is silenced.
  expect(alerts(off).length).toBeGreaterThan(10)
  expect(silenced(off)).toEqual([])
  expect(on.alertsAYear).toBe(0)
  // The first thirteen weeks show what is usual.
  expect((off.alertsAYear ?? 0) / alerts(off).length).toBeCloseTo(365.25 / (days - 90), 1)
})

test('a drop that alerts is not also marked as silenced on the days around it', async () => {
  const lost = await tried(pageOf(0.9, 0.15))
  const alert = lost.days.find(({ findings }) => findings.length > 0)
  expect(alert?.date && alert.date > addDays(through, -7)).toBe(true)
  expect(lost.days.filter(({ date, silenced: quiet }) => date > addDays(through, -7) && quiet.length > 0)).toEqual([])
})

test('a higher threshold alerts less', async () => {
  const count = async (threshold: number, low = 0.6) => (await tried(pageOf(low), { threshold, onlyUnusual: false })).alertsAYear ?? 0
  expect(await count(15)).toBeGreaterThan(10)
  expect(await count(45)).toBe(0)
  expect(await count(15, 0.9)).toBe(0)
})

test('the card says how much the busiest page varies, and at what change the rule alerts', async () => {
  const [steady, restless] = [(await tried(pageOf(0.95))).usual!, (await tried(pageOf(0.6))).usual!]
  expect(restless.entity).toBe('/lamp')
  // In percent: weeks of 100 and 60 are about 30% around their mean.
  expect(restless.varies).toBeGreaterThan(20)
  expect(restless.varies).toBeLessThan(40)
  expect(steady.varies).toBeLessThan(10)
  expect(restless.alertsFrom).toBeLessThan(steady.alertsFrom)
  // The steady page alerts at the threshold or at a larger drop, never at a smaller one.
  expect(steady.alertsFrom).toBeLessThanOrEqual(-15)
  expect((await tried(pageOf(0.95), { threshold: 60 })).usual?.alertsFrom).toBe(-60)
  expect((await tried(pageOf(0.6), { direction: 'rises' })).usual?.alertsFrom).toBeGreaterThan(15)
  expect((await tried(pageOf(0.6), { onlyUnusual: false })).usual).toBeNull()
  // It does what it says.
  const expected = (clicks: number) => pageOf(0.6, clicks)
  expect(alerts(await tried(expected(1 + (restless.alertsFrom - 25) / 100))).length).toBeGreaterThan(0)
})

test('the return from an outage is no rise, with drops and rises in one rule, and a rise beyond it is', async () => {
  const outage = [300, 301, 302]
  const both = { direction: 'both', onlyUnusual: false } as const
  const found = async (after: number) =>
    alerts(
      await tried(
        pageOf(1, 1, (i) => (outage.includes(i) ? 0.05 : i > 302 ? after : 1)),
        both,
      ),
    ).map(({ change }) => Math.sign(change ?? 0))
  expect(await found(1)).toEqual([-1])
  expect(await found(1.1)).toEqual([-1])
  expect(await found(2)).toEqual([-1, 1])
  // The same upside down: three good days, after which the drop is merely their end.
  const peak = alerts(
    await tried(
      pageOf(1, 1, (i) => (outage.includes(i) ? 3 : 1)),
      both,
    ),
  )
  expect(peak.map(({ change }) => Math.sign(change ?? 0))).toEqual([1])
})
