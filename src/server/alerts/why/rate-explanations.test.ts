import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import { type AlertReport, alertReport } from '../../../contract/alerts/alerts.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { plainText } from '../../../core/alerting/copy.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'

// Why a CTR or position changed, and what was expected of it, in reports and messages.

const through = '2025-04-13'
const oldest = addDays(through, -300)
const ctr: NewCondition = { type: 'ctr', kind: 'unusual', title: 'CTR' }
const position: NewCondition = { type: 'position', kind: 'unusual', title: 'Position' }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2025-04-16T20:00:00Z')))
afterAll(() => evaluated.close())

type Lost = { lost: number; days: number; of?: (query: number) => boolean; place?: number }

/** Twenty queries that vary a little; some of them lose clicks or places in the last days. */
async function siteThat(
  rules: readonly NewCondition[],
  { lost, days, of = (query) => query === 0, place = 3 }: Lost,
): Promise<EvaluatedSite> {
  const site = await evaluated.property(`https://rate-why${++sites}.example/`, { through, rules })
  await site.store(oldest, through, (date) =>
    Array.from({ length: 20 }, (_, i) => {
      const usual = 60 + ((dayNumber(date) * 31 + i * 17) % 9) - 4
      const isHit = of(i) && date > addDays(through, -days)
      return {
        page: `lamp ${i}`,
        clicks: isHit ? Math.round(usual * (1 - lost)) : usual,
        impressions: usual * 20,
        position: isHit ? place : 3,
      }
    }),
  )
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.evaluate('u', site)
  return site
}
async function reportOf(site: EvaluatedSite): Promise<AlertReport> {
  const [first] = await site.list()
  return alertReport.parse(await evaluated.alerts.report('u', first?.id ?? ''))
}
const ordinaryDays = ({ series, expectation }: AlertReport) =>
  series.filter(({ date, value }) => {
    const day = expectation?.days.find((each) => each.date === date)
    return day && value !== null && day.low <= value && value <= day.high
  })
const storedDays = ({ series }: AlertReport) => series.flatMap(({ date, value }) => (value === null ? [] : [date]))

describe('an alert about an unusual CTR', () => {
  test('of a query says how much its position explains, and has the expected band and the first day', { tags: ['full'] }, async () => {
    const site = await siteThat([ctr], { lost: 0.6, days: 12 })
    const report = await reportOf(site)
    expect(report.entity).toEqual({ kind: 'query', name: 'lamp 0' })
    const split = report.rateBreakdown?.by.find(({ dimension }) => dimension === 'query')
    expect(split).toMatchObject({ mix: 0, position: 0, rate: (split?.current ?? 0) - (split?.previous ?? 0) })
    expect(report.why).toMatch(/^Compared with \d.* Mar, mainly a lower CTR at the same positions \(−\d\.\d\d points\)\.$/)
    const explained = (await evaluated.alerts.explain([report.id])).get(report.id)?.why
    expect(plainText(explained ?? [])).toBe(report.why)

    const began = addDays(through, -11)
    expect(report.expectation?.firstDay).toBe(began)
    expect(report.expectation?.days.map(({ date }) => date)).toEqual(storedDays(report))
    expect(ordinaryDays(report).map(({ date }) => date)).toEqual(storedDays(report).filter((date) => date < began))
  })

  test('of the whole site is about its top queries together, in parts, chart and band', { tags: ['full'] }, async () => {
    const report = await reportOf(await siteThat([ctr], { lost: 0.3, days: 12, of: () => true }))
    expect(report.entity.kind).toBe('site')
    expect(report.rateBreakdown?.current).toBeCloseTo(report.currentValue ?? 0, 9)
    const split = report.rateBreakdown?.by.find(({ dimension }) => dimension === 'query')
    expect((split?.rate ?? 0) + (split?.mix ?? 0)).toBeCloseTo((split?.current ?? 0) - (split?.previous ?? 0), 9)
    const began = addDays(through, -11)
    expect(report.expectation?.firstDay).toBe(began)
    expect(report.expectation?.days.map(({ date }) => date)).toEqual(storedDays(report))
    expect(ordinaryDays(report).map(({ date }) => date)).toEqual(storedDays(report).filter((date) => date < began))
    // What is expected in the window, day by day, is what the alert compares with.
    const { current } = report
    const inWindow = report.expectation?.days.filter(({ date }) => current && current.start <= date && date <= current.end) ?? []
    const mean = inWindow.reduce((sum, { expected }) => sum + expected, 0) / inWindow.length
    expect(mean).toBeCloseTo(report.previousValue ?? 0, 3)
  })
})

test(
  'an alert about an unusual position has the expected band and the first day, and no parts of its one query',
  { tags: ['full'] },
  async () => {
    const chosen: NewCondition = { ...position, monitor: 'queries', targets: ['lamp 0'] }
    const report = await reportOf(await siteThat([chosen], { lost: 0, days: 8, place: 9 }))
    const began = addDays(through, -7)
    expect(report.expectation?.firstDay).toBe(began)
    expect(report.expectation?.days.map(({ date }) => date)).toEqual(report.series.map(({ date }) => date))
    expect(ordinaryDays(report).map(({ date }) => date)).toEqual(storedDays(report).filter((date) => date < began))
    expect(report.why).toMatch(/^Compared with .*, mainly lower positions for the same keywords \(\d\.\d positions worse\)\.$/)
  },
)

test(
  'an alert about a threshold has the parts of its page’s CTR, which add up to its change, and no band',
  { tags: ['full'] },
  async () => {
    const drop: NewCondition = { type: 'ctr', title: 'Site CTR', monitor: 'pages', targets: ['lamp 0'], threshold: 10, onlyUnusual: false }
    const report = await reportOf(await siteThat([drop], { lost: 0.5, days: 7 }))
    expect(report.expectation).toBeUndefined()
    const { rateBreakdown: found, currentValue, previousValue } = report
    expect([found?.current, found?.previous]).toEqual([currentValue, previousValue])
    for (const { rate, mix, unnamed = 0, current, previous } of found?.by ?? [])
      expect(rate + mix + unnamed).toBeCloseTo(current - previous, 9)
    expect(report.why).toMatch(/lower CTR at the same positions/)
  },
)
