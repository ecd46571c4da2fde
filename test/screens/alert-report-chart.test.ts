import type { Locator, Page } from 'playwright-core'
import type { Alert, AlertReport } from '../../src/contract/alerts/alerts.ts'
import { addDays } from '../../src/core/analytics/days.ts'
import { countedTwice } from '../support/answers/annotations.ts'
import { keepReport, reportOf, seriesOf } from '../support/answers/report.ts'
import { shop } from '../support/answers/usual.ts'
import { spoken } from '../support/browser-cards.ts'
import { expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// The chart of an alert's report, and the report at any width.

const slider = (page: Page) => page.getByRole('slider')
const valueText = (page: Page) => slider(page).getAttribute('aria-valuetext')
const position = { type: 'position', previousValue: 3.2, currentValue: 9.7, change: 6.5 } as const

describe('the chart', () => {
  test('reads every day with the arrow keys', { tags: ['full'] }, async ({ desk, open }) => {
    const report = reportOf()
    const { series } = report
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    const weekday = (date: string) => new Date(date).toLocaleString('en-GB', { weekday: 'short', timeZone: 'UTC' })
    const said = ({ date, value, complete }: AlertReport['series'][number]) =>
      `${weekday(date)} ${spoken(date, true)}: Clicks ${value === null ? 'no data' : value.toLocaleString('en-US')}${complete || value === null ? '' : ' (preliminary)'}`
    const lastKnown = series.findLastIndex(({ value }) => value !== null)
    await slider(page).focus()
    expect(await valueText(page)).toBe(said(series[lastKnown]!))
    for (const step of [1, 2, 3]) {
      await page.keyboard.press('ArrowLeft')
      expect(await valueText(page)).toBe(said(series[lastKnown - step]!))
    }
    await page.keyboard.press('Home')
    const texts = new Set<string | null>()
    for (let day = 0; day < series.length; day += 1) {
      texts.add(await valueText(page))
      await page.keyboard.press('ArrowRight')
    }
    expect([...texts]).toEqual(series.map(said))
    expect(series.some(({ complete, value }) => !complete && value !== null)).toBe(true)
    await expectVisible(page.locator('svg text').getByText('preliminary', { exact: true }))
  })

  test('shows the day under the pointer, and nothing after it leaves or Escape is pressed', { tags: ['full'] }, async ({ desk, open }) => {
    const report = reportOf()
    const { series, current } = report
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    const plot = slider(page).locator('..')
    await plot.scrollIntoViewIfNeeded()
    const box = (await plot.boundingBox())!
    const index = series.findIndex(({ date }) => date === current!.start)
    await page.mouse.move(box.x + (box.width * (index + 0.5)) / series.length, box.y + box.height / 2)
    const tooltip = page.getByText(`Clicks: ${series[index]?.value}`, { exact: true })
    await expectVisible(tooltip)
    await expectVisible(page.getByText(new RegExp(`^\\w{3} ${spoken(current!.start, true)}$`)))
    await page.mouse.move(0, 0)
    await expectGone(tooltip)
    await slider(page).focus()
    const last = page.getByText(/^Clicks: .*\(preliminary\)$/)
    await expectVisible(last)
    await page.keyboard.press('Escape')
    await expectGone(last)
  })

  test('has both periods shaded and named, and when it was opened on the time axis', { tags: ['full'] }, async ({ desk, open }) => {
    const report = reportOf()
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    await expectVisible(slider(page))
    const widthOf = async (box: Locator) => (await box.boundingBox())?.width ?? 0
    const day = (await widthOf(slider(page).locator('..'))) / report.series.length
    for (const label of ['3–9 Mar', '10–16 Mar'])
      expect((await widthOf(page.locator('svg g').filter({ hasText: label }).locator('rect'))) / day).toBeCloseTo(7, 0)

    const mark = page.getByRole('button', { name: 'Opened, 18 Mar 2026' })
    await mark.focus()
    await expectText(page.getByRole('tooltip'), 'Opened, 18 Mar 2026')
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('tooltip'))
    await mark.hover()
    await expectVisible(page.getByRole('tooltip'))
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
  })

  test('has a legend for its marks: the alert, notes and measurement anomalies', { tags: ['full'] }, async ({ desk, open }) => {
    const report = reportOf({ type: 'impressions' })
    keepReport(desk, report)
    desk.answer('GET /api/annotations', {
      notes: [{ id: '1', date: '2026-03-12', text: 'New menu', property: null, inReports: false }],
      incidents: [],
      anomalies: [countedTwice],
    })
    const page = await open(`/alerts/${report.id}`)
    const figure = page.getByRole('figure', { name: 'Impressions by day', exact: true })
    await expectVisible(figure.getByRole('button', { name: /^Measurement: Impressions counted twice, 26–28 Feb/ }))
    for (const kind of ['Alert opened', 'Note', 'Measurement change']) await expectVisible(figure.getByText(kind, { exact: true }))
  })

  test('of positions runs downwards from 1', async ({ desk, open }) => {
    const report = reportOf(position)
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    const ticks = page.locator('svg g:has(> line):not(:has(> rect)) > text')
    await expectVisible(ticks)
    const places = await ticks.evaluateAll((found) =>
      found.map((tick) => [Number(tick.textContent), tick.getBoundingClientRect().top] as const),
    )
    expect(places[0]?.[0]).toBe(1)
    expect(places.map(([value]) => value)).toEqual(places.toSorted((a, b) => a[1] - b[1]).map(([value]) => value))
    expect(places.length).toBeGreaterThan(2)
  })

  test('places last year under this one', { tags: ['full'] }, async ({ desk, open }) => {
    // 52 weeks earlier, a year has the same weekdays.
    const yearBefore = (date: string) => addDays(date, -364)
    const plain = reportOf({ entity: { kind: 'site', name: shop }, previousValue: 700, currentValue: 350, change: -50 })
    const report: AlertReport = {
      ...plain,
      previous: { start: yearBefore(plain.current!.start), end: yearBefore(plain.current!.end) },
      previousSeries: plain.series.map(({ date }, index) => ({ date: yearBefore(date), value: 100 + index, complete: true })),
    }
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    await expectVisible(page.locator('svg text').getByText('A year earlier', { exact: true }))
    await slider(page).focus()
    await page.keyboard.press('Home')
    const { series, previousSeries, current, previous } = report
    const at = series.findIndex(({ date }) => date === current!.start)
    for (let day = 0; day < at; day += 1) await page.keyboard.press('ArrowRight')
    expect(previousSeries[at]?.date).toBe(previous!.start)
    expect(await valueText(page)).toBe(
      `Tue 10 Mar 2026: Clicks ${series[at]?.value}; A year earlier 11 Mar 2025: ${previousSeries[at]?.value}`,
    )
    await expectVisible(page.getByText('vs 11–17 Mar 2025', { exact: true }), page.locator('svg text').getByText('11–17 Mar 2025'))
  })
})

test.for<[string, Partial<Alert>]>([
  ['clicks of a page', {}],
  ['a site', { entity: { kind: 'site', name: shop } }],
  ['a position', position],
])(
  'a report of %s is accessible, in either theme, on a desktop or on a phone',
  { tags: ['full'] },
  async ([_name, change], { desk, open }) => {
    const part = (path: string, kind: 'page' | 'query') => ({
      entity: { kind, name: path },
      previousValue: 9,
      currentValue: 4,
      change: -55.6,
    })
    const plain = reportOf(change)
    const report: AlertReport = {
      ...plain,
      series: seriesOf(plain),
      contributors: [part(`https://lumenandloom.example/${'rugs/'.repeat(40)}`, 'page'), part('brass lamp', 'query')],
      deliveries: [
        { channel: 'email', event: 'opened', inDigest: true, state: 'sent', to: 'ann@example.test', at: plain.timestamp, detail: null },
        { channel: 'sms', event: 'opened', inDigest: false, state: 'failed', to: '+44 •••• 0018', at: null, detail: 'No such number.' },
      ],
    }
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`, { theme: 'light' })
    await expectVisible(page.getByRole('list', { name: 'Timeline' }).getByText('Viewed', { exact: true }))
    await expectAccessible(page)
    await slider(page).focus()
    await expectAccessible(page)
    await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
    await expectAccessible(page, ['color-contrast'])
    const heightOf = async () => (await page.locator('figure').boundingBox())?.height
    const height = await heightOf()
    for (const width of [1920, 1440, 1024, 768, 640]) {
      await page.setViewportSize({ width, height: 900 })
      await expectWithinWindow(page)
      // Nothing below the chart moves with the window.
      expect(await heightOf()).toBe(height)
    }
    for (const width of [320, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await expectWithinWindow(page)
    }
    expect(await tooSmallForFingers(page)).toEqual([])
    await expectAccessible(page)
  },
)
