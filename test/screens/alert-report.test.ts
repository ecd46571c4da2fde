import type { Page } from 'playwright-core'
import { eachDay } from '../../src/core/analytics/days.ts'
import type { AlertReport } from '../../src/contract/alerts/alerts.ts'
import { keepReport, reportOf } from '../support/answers/report.ts'
import { shop } from '../support/answers/usual.ts'
import { spoken } from '../support/browser-cards.ts'
import { expectAddress, expectCount, expectGone, expectText, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// The content of one alert's full report. Its actions and its chart have their own files.

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const life = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const lamps = 'https://lumenandloom.example/lamps'
const aboutQuery = { kind: 'query', name: 'brass lamp' } as const

describe('the report has the same figures as the list', { tags: ['full'] }, () => {
  const figures = (before: string, now: string, change: string) => ({
    Previous: `Previous ${before} 3–9 Mar 2026`,
    Current: `Current ${now} 10–16 Mar 2026`,
    Change: `Change ${change}`,
  })
  test.for<[string, string, Partial<AlertReport>, Record<string, string>]>([
    [
      'a page that is lost',
      'Page clicks',
      { previousValue: 1_400, currentValue: 0, change: -100 },
      figures('1.4K 1,400', '0', 'Down 100.0% vs last week'),
    ],
    [
      'a page that had none',
      'Page clicks',
      { previousValue: 0, currentValue: 4_200, change: null },
      figures('0', '4.2K 4,200', 'Up from 0'),
    ],
    [
      'its position',
      'Page position',
      { type: 'position', previousValue: 3.2, currentValue: 9.7, change: 6.5 },
      figures('3.2', '9.7', 'Dropped 6.5 positions vs last week'),
    ],
    [
      'a query that is lost',
      'Keyword position',
      { type: 'position', entity: aboutQuery, previousValue: 4.1, currentValue: null, change: null },
      figures('4.1', '–', 'Gone: no current data'),
    ],
    [
      'a site that lost more than half',
      'Site clicks',
      { entity: { kind: 'site', name: shop }, previousValue: 910, currentValue: 364, change: -60 },
      figures('910', '364', 'Down 60.0% vs last week'),
    ],
    [
      'a CTR',
      'Keyword CTR',
      { type: 'ctr', entity: aboutQuery, previousValue: 0.05, currentValue: 0.03, change: -40 },
      figures('5.00%', '3.00%', 'Down 40.0% vs last week'),
    ],
  ])('%s', async ([_name, heading, change, texts], { desk, open }) => {
    const report = reportOf(change)
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    await expectVisible(page.getByRole('heading', { name: report.title, level: 1, exact: true }))
    for (const [name, text] of Object.entries(texts)) {
      const figure = section(page, heading)
        .locator('dl > div')
        .filter({ hasText: new RegExp(`^${name}`) })
      await expectText(figure, text)
    }

    // The days of the chart, by its table, add up to the same.
    await page.getByRole('button', { name: /^Show as table: \w+ by day/ }).click()
    const rows = page.getByRole('dialog').getByRole('row')
    await expectVisible(rows)
    const cells = await rows.evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)))
    expect(cells.slice(1).map(([date]) => date)).toEqual(report.series.toReversed().map(({ date }) => spoken(date, true)))
    if (report.type !== 'clicks') return
    const sum = (window: AlertReport['current']) =>
      eachDay(window?.start ?? '', window?.end ?? '')
        .map((date) => Number(cells.find(([day]) => day === spoken(date, true))?.[1]?.replaceAll(',', '')))
        .reduce((total, value) => total + value, 0)
    expect([sum(report.previous), sum(report.current)]).toEqual([report.previousValue, report.currentValue])
  })
})

test('abbreviated figures are also shown in full', { tags: ['full'] }, async ({ desk, open }) => {
  const report = reportOf()
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  const figures = section(page, 'Page clicks').locator('dl')
  await expectText(figures, 'Previous 14K 14,000 3–9 Mar 2026 Current 5.6K 5,600 10–16 Mar 2026 Change Down 60.0% vs last week')
})

test('other findings of the same cause are listed, and the expected value is shown', async ({ desk, open }) => {
  const part = { state: 'firing', currentValue: 0.009, previousValue: 0.03, change: -70 } as const
  const report = reportOf({
    entity: { kind: 'site', name: shop },
    unusual: { months: 14 },
    findings: [
      {
        ...part,
        id: '901',
        severity: 'critical',
        type: 'ctr',
        title: 'CTR dropped: “desk lamp”',
        entity: { kind: 'query', name: 'desk lamp' },
      },
      {
        ...part,
        id: '902',
        severity: 'warning',
        state: 'recovered',
        type: 'position',
        title: 'Lost ranking: “<b>lamp</b>”',
        entity: aboutQuery,
      },
    ],
  })
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  const found = section(page, 'Same cause').getByRole('listitem')
  await expectCount(found, 2)
  await expectVisible(found.nth(0).getByText('3.00% → 0.90%'), found.nth(1).getByText('“<b>lamp</b>”'), found.nth(1).getByText('Recovered'))
  await expectVisible(
    section(page, 'Site clicks').getByText('Expected', { exact: true }),
    section(page, 'Site clicks').getByText('vs expected'),
  )
  await found.nth(0).getByRole('link').click()
  await expectAddress(page, '/alerts/901')
})

test('an alert whose metric stayed down has settled at a new level, not recovered, with both figures', async ({ desk, open }) => {
  const level = { value: 280, before: 700, days: 7 }
  const ended = { as: 'settled' as const, at: '2026-03-18T19:00:00.000Z', reason: 'new_level', level }
  const event = {
    at: ended.at,
    from: 'firing',
    to: 'recovered',
    reason: 'new_level',
    detail: '280 clicks a week, was 700.',
    by: null,
  } as const
  const report = reportOf({ state: 'recovered', ended, timeline: [event] })
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  await expectVisible(
    page.getByText('Settled', { exact: true }),
    page.getByText('Settled at a new level: 280 clicks a week, was 700.'),
    page.getByRole('list', { name: 'Timeline' }).getByText('Settled at the new level'),
    page.getByRole('list', { name: 'Timeline' }).getByText('280 clicks a week, was 700.'),
  )
  await expectCount(page.getByText('Recovered', { exact: true }), 0)
})

test('an alert that several rules found names them', { tags: ['full'] }, async ({ desk, open }) => {
  const rules = ['Clicks drop', 'Unusual clicks', '<b>Mine</b>'].map((title, at) => ({ id: `${at + 1}`, title }))
  const report = reportOf({ rules })
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  await expectVisible(page.getByText('Found by the rules “Clicks drop”, “Unusual clicks” and “<b>Mine</b>”'))
})

test('contributions are listed, with whole names on hover and focus, and can be copied', { tags: ['full'] }, async ({ desk, open }) => {
  const part = (path: string, previousValue: number, currentValue: number, change: number) => ({
    entity: { kind: 'page' as const, name: `https://lumenandloom.example/${path}` },
    previousValue,
    currentValue,
    change,
  })
  const name = `https://lumenandloom.example/${'rugs/handwoven-wool-rugs-from-the-mountains/'.repeat(3)}`
  const long = { ...part('', 1_400, 350, -75), entity: { kind: 'page' as const, name } }
  const report = reportOf({
    entity: { kind: 'site', name: shop },
    contributors: [long, part('lamps', 700, 420, -40), part('chairs', 70, 77, 10)],
  })
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  const table = section(page, 'Top contributors').getByRole('table')
  await expectVisible(table)
  // A name that may be cut is there for screen readers, too.
  const rows = await table
    .getByRole('row')
    .evaluateAll((found) =>
      found.map((row) => [...row.children].map((cell) => (cell.querySelector('button .sr-only') ?? cell).textContent)),
    )
  expect(rows).toEqual([
    ['Page', 'Previous', 'Current', 'Change'],
    [name, '1,400', '350', 'Down 75.0% vs last week'],
    [lamps, '700', '420', 'Down 40.0% vs last week'],
    ['https://lumenandloom.example/chairs', '70', '77', 'Up 10.0% vs last week'],
  ])

  const cell = table.getByRole('button', { name: `Copy ${name}`, exact: true })
  await cell.focus()
  await expectText(page.getByRole('tooltip'), name)
  await page.keyboard.press('Escape')
  await expectGone(page.getByRole('tooltip'))
  await cell.hover()
  await expectText(page.getByRole('tooltip'), name)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await cell.click()
  await expectText(page.getByRole('tooltip'), 'Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(name)
})

test('what hours show beyond the alert is below its sentence', { tags: ['full'] }, async ({ desk, open }) => {
  const detail = '120 clicks so far on 18 Mar (through 14:00 Pacific) vs the usual 1,400 (−91.4%).'
  const event = { from: 'firing', to: 'firing', reason: 'hours_worse', by: null, at: '2026-03-18T22:00:00.000Z', detail } as const
  const entity = { kind: 'site', name: shop } as const
  const report = reportOf({ entity, severity: 'critical', state: 'firing', change: -12, timeline: [event] })
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  await expectVisible(page.getByText(`Hourly data shows a much larger change: ${detail}`))
})

test('opening the report marks the alert as Viewed, and its timeline says by whom', async ({ desk, open }) => {
  const report = reportOf()
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  await expectVisible(life(page).getByText('Viewed', { exact: true }))
  await expect.poll(() => desk.asked('POST /api/alerts/viewed').map(({ body }) => body)).toEqual([{ ids: [report.id] }])
  expect((await life(page).allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(['Opened', 'Viewed by ann'])
  await expectVisible(life(page).getByText("The rule's condition was met.", { exact: true }), life(page).getByText('Today, 19:00'))
  await expectVisible(page.getByRole('link', { name: 'Active Alerts' }).last())
  expect(await page.title()).toBe(`${report.title} · Ranklark`)
})

describe('what was sent', { tags: ['full'] }, () => {
  const message = (page: Page, words: string) =>
    page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: words })

  test('is listed with channel, address, state and time', async ({ desk, open }) => {
    const sent = { event: 'opened', inDigest: false, at: null, detail: null } as const
    const report = reportOf({
      deliveries: [
        { ...sent, channel: 'email', state: 'suppressed', to: 'ann@example.test', detail: 'Critical alerts are turned off.' },
        { ...sent, channel: 'slack', state: 'sent', to: '#seo', at: '2026-03-18T18:30:00.000Z' },
        { ...sent, channel: 'sms', state: 'waiting', to: null, inDigest: true },
      ],
    })
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    await expectText(message(page, 'Email'), 'Email to ann@example.test Not sent Alert opened Critical alerts are turned off.')
    await expectText(message(page, 'Slack'), 'Slack to #seo Sent Alert opened · Today, 18:30')
    await expectText(message(page, 'SMS'), 'SMS Waiting Alert opened, in a digest')
  })

  test('or else it says why not and leads to what can be changed', async ({ desk, open }) => {
    const report = reportOf()
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    await expectVisible(
      section(page, 'Notifications').getByText(/^No notification was sent because no channel for this kind of alert was on/),
    )
    desk.answer('POST /api/alert-conditions/backtest', {
      from: null,
      through: null,
      days: [],
      alertsAYear: null,
      usual: null,
      expected: null,
    })
    await page.getByRole('link', { name: 'Set up notifications' }).click()
    await expectAddress(page, '/alert-settings')
  })

  test('of a finding with the same cause as another alert is said by that one', async ({ desk, open }) => {
    const report = reportOf({ partOf: '4711' })
    keepReport(desk, report)
    const page = await open(`/alerts/${report.id}`)
    await expectText(section(page, 'Notifications').getByRole('paragraph'), 'Notifications are sent for the main alert.')
    const lead = section(page, 'Notifications').getByRole('link', { name: 'the main alert' })
    expect(await lead.getAttribute('href')).toBe('/alerts/4711')
  })
})

describe('a URL that leads to nothing', { tags: ['full'] }, () => {
  test.for([
    ['an alert that doesn’t exist, or is somebody else’s', 404, "This alert doesn't exist or isn't yours."],
    ['not a number', 400, 'This is no number of an alert.'],
  ] as const)('%s gets the same message, with the way back', async ([_what, status, message], { desk, open }) => {
    desk.refuse('GET /api/alerts/:id', status, { message })
    const page = await open('/alerts/999999999')
    await expectVisible(page.getByRole('heading', { name: 'Alert not found' }))
    await page.getByRole('link', { name: 'Back to Active Alerts' }).click()
    await expectAddress(page, '/alerts')
  })

  test("a report that doesn't load can be retried", async ({ desk, open }) => {
    const report = reportOf()
    desk.cut('GET /api/alerts/:id')
    const page = await open(`/alerts/${report.id}`)
    await expectVisible(page.getByRole('alert').getByRole('heading', { name: 'The report could not be loaded' }))
    keepReport(desk, report)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('heading', { name: report.title, level: 1 }), life(page))
  })
})

test('a name that looks like markup is text', async ({ desk, open }) => {
  const name = `https://markup.example/<img src=x onerror="document.title='broken'">`
  const report = reportOf({ entity: { kind: 'page', name } })
  keepReport(desk, report)
  const page = await open(`/alerts/${report.id}`)
  await expectVisible(page.locator('header code').getByText(name, { exact: true }), page.getByRole('button', { name: `Copy ${name}` }))
  await expectVisible(page.getByRole('heading', { name: `Clicks dropped: ${name}`, level: 1, exact: true }))
  await expectCount(page.locator('article img'), 0)
})
