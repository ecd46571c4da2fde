import type { Page } from 'playwright-core'
import { alertOf, shop, shopName, syncOf } from '../support/answers/usual.ts'
import { atSearchConsole, queryAlert, twelveAlerts } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import {
  expectAddress,
  expectAttribute,
  expectChecked,
  expectCount,
  expectGone,
  expectText,
  expectTexts,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// Actions on alerts: ./alert-actions; filters: ./alert-ranges.

const board = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true })
const cards = (page: Page) => board(page).getByRole('article')
const cardOf = (page: Page, words: string) => cards(page).filter({ has: page.getByRole('heading', { name: words }) })
const rows = (page: Page) =>
  board(page)
    .getByRole('row')
    .filter({ has: page.getByRole('heading') })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent Alerts' })
const showAs = (page: Page, name: 'Cards' | 'Table') => page.getByRole('group', { name: 'View' }).getByText(name).click()

test('alerts are shown as cards of the last 7 days, with all details', { tags: ['full'] }, async ({ desk, open }) => {
  const { title } = keepAlerts(desk, twelveAlerts()).about('Clicks dropped: https://lumenandloom.example/lamps')
  const page = await open('/alerts')
  await expectVisible(page.getByRole('heading', { name: 'Active Alerts', level: 1 }), cards(page))
  await expectChecked(page.getByRole('radio', { name: 'Cards' }), true)
  await expectText(page.getByRole('combobox', { name: 'Date range' }), 'Last 7 days')
  await expectCount(cards(page), 12)
  await expectVisible(board(page).getByText('12 alerts', { exact: true }))

  const card = cardOf(page, title)
  await expectVisible(
    card.getByText('Critical', { exact: true }),
    card.getByText('New', { exact: true }),
    card.getByText('Today, 18:00', { exact: true }),
    card.locator('code').getByText('https://lumenandloom.example/lamps', { exact: true }),
    card.getByText('5.6K', { exact: true }),
    card.getByText('from 14K', { exact: true }),
    card.getByText('Down 60.0%', { exact: true }),
    card.getByText('vs last week', { exact: true }),
  )
  expect(await card.innerText()).not.toContain('<')
  const line = card.getByRole('slider', { name: `Clicks by day: ${title}` })
  await line.focus()
  await expectAttribute(line, 'aria-valuetext', /^16 Mar: 800(;|$)/)
  await page.keyboard.press('Home')
  await expectAttribute(line, 'aria-valuetext', /^17 Feb: 2,000(;|$)/)
  expect((await line.locator('..').boundingBox())?.height).toBe(48)
})

test('without alerts there is a way to create some', { tags: ['full'] }, async ({ open }) => {
  const page = await open('/alerts')
  const dialog = page.getByRole('dialog', { name: 'New Alert' })
  for (const [name, opener] of [
    ['Cards', 'Create Alert'],
    ['Table', 'Create New Alert'],
  ] as const) {
    await showAs(page, name)
    await expectVisible(board(page).getByText('No alerts at this time', { exact: true }))
    await board(page).getByRole('button', { name: opener, exact: true }).click()
    await expectVisible(dialog.getByText(shopName))
    await page.keyboard.press('Escape')
    await expectGone(dialog)
  }
  await page.getByRole('button', { name: 'New Alert', exact: true }).click()
  await expectVisible(dialog)
  await page.keyboard.press('Escape')
  await expectVisible(recent(page).getByText('No alerts generated yet'))
})

test('without a property the screen says why it needs one', { tags: ['full'] }, async ({ signIn, open }) => {
  signIn({ selectedProperty: null, gscProperties: [], sitesMonitored: 0 })
  const page = await open('/alerts')
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }), page.getByRole('link', { name: 'Select Property' }))
})

test('the table has its columns, and percent only where they are known', { tags: ['full'] }, async ({ desk, open }) => {
  const all = twelveAlerts().map((alert) => (alert.title.endsWith('/beds') ? { ...alert, previousValue: 0 } : alert))
  const alert = keepAlerts(desk, all).about('Impressions dropped: “lamps”')
  const page = await open('/alerts?view=table')
  await expectVisible(rows(page))
  await expectTexts(board(page).getByRole('columnheader'), ['Select', 'Status', 'Type', 'Alert Details', 'Change', 'Actions'])
  await expectCount(rows(page), 12)

  const row = rows(page).filter({ hasText: alert.title })
  const cell = (at: number) => row.getByRole('cell').nth(at)
  await expectText(cell(1), 'Critical New')
  await expectText(cell(2), 'Impressions')
  await expectText(cell(4), 'Down 60.0% vs last week')
  const none = rows(page).filter({ hasText: 'Clicks dropped: https://lumenandloom.example/beds' })
  await expectText(none.getByRole('cell').nth(4), '')
  const toSearchConsole = row.getByRole('link', { name: `Open in Search Console: ${alert.title} (new tab)` })
  await expectAttribute(toSearchConsole, 'href', atSearchConsole(alert))
  await expectAttribute(row.getByRole('link', { name: `View full report: ${alert.title}` }), 'href', `/alerts/${alert.id}`)
})

test('on a phone the table is a list of cards', { tags: ['full'] }, async ({ desk, open }) => {
  keepAlerts(desk, twelveAlerts())
  const page = await open('/alerts?view=table', { width: 375, height: 812, touch: true })
  await expectVisible(board(page).getByRole('listitem'))
  await expectCount(board(page).getByRole('table'), 0)
  await expectCount(board(page).getByRole('listitem'), 12)
  await page.setViewportSize({ width: 1_280, height: 800 })
  await expectVisible(rows(page))
})

test('with ten recent alerts or fewer there is nothing more to see', { tags: ['full'] }, async ({ desk, open }) => {
  keepAlerts(desk, twelveAlerts().slice(0, 10))
  const page = await open('/alerts')
  await expectVisible(recent(page).getByText('10 alerts', { exact: true }))
  await expectVisible(recent(page).getByRole('listitem'))
  await expectCount(recent(page).getByRole('link', { name: /^View All Alerts/ }), 0)
})

test('an alert about the connection says how to fix it', { tags: ['full'] }, async ({ desk, open }) => {
  desk.answer('GET /api/sync', [syncOf({ state: 'token_revoked', message: `Google access expired or was revoked to ${shop}.` })])
  const broken = alertOf({
    title: 'Google access was revoked',
    description: `Google access expired or was revoked to ${shop}.`,
    entity: { kind: 'connection', name: 'token_revoked' },
    currentValue: null,
    previousValue: null,
    change: null,
    current: null,
    previous: null,
    data: [],
    action: { label: 'Reconnect Google', href: '/api/auth/google' },
  })
  keepAlerts(desk, [broken])
  const page = await open('/alerts')
  const card = cardOf(page, broken.title)
  const onward = { name: 'Reconnect Google' }
  await expectVisible(card, recent(page).getByRole('link', onward), card.getByRole('link', onward))
  await expectCount(card.getByRole('slider'), 0)
  await showAs(page, 'Table')
  await expectText(rows(page).getByRole('cell').nth(2), 'Connection')
  await expectAttribute(rows(page).getByRole('link', onward), 'href', '/api/auth/google')
})

describe('malformed responses', () => {
  test('a failed load names the property, and can be retried', { tags: ['full'] }, async ({ desk, open }) => {
    desk.refuse('GET /api/alerts', 502, { message: 'The store does not answer.' })
    const page = await open('/alerts')
    const problem = page.getByRole('alert').filter({ hasText: 'Unable to load alerts' }).first()
    await expectVisible(problem.getByText(`${shopName}: The store does not answer.`))
    keepAlerts(desk, twelveAlerts())
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => cards(page).count()).toBe(12)
  })

  test('one that fails later leaves what was there', async ({ desk, open }) => {
    keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    await expectVisible(cards(page))
    desk.refuse('GET /api/alerts', 502, { message: 'The store does not answer.' })
    await cards(page).first().getByRole('button', { name: 'Acknowledge' }).click()
    const problem = board(page).getByRole('alert')
    await expectVisible(problem.getByText(`The alerts for ${shopName} could not be refreshed: The store does not answer.`))
    await expectVisible(cards(page).first().getByText('Acknowledged', { exact: true }))
    keepAlerts(desk, twelveAlerts())
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectGone(problem)
  })

  test("something that isn't a list counts as an empty one", { tags: ['full'] }, async ({ desk, open }) => {
    desk.say('GET /api/alerts', { alerts: 'none' })
    const page = await open('/alerts')
    await expectVisible(board(page).getByText('No alerts at this time', { exact: true }))
  })

  test('an alert with only the fields of SPEC §3 is shown', async ({ desk, open }) => {
    desk.say('GET /api/alerts', [
      {
        id: 'a',
        severity: 'critical',
        type: 'clicks',
        title: 'Clicks dropped',
        description: 'By half',
        currentValue: 50,
        previousValue: 100,
        timestamp: '2026-03-18T10:00:00Z',
        target: shop,
        data: [100, 90, 50],
        viewed: false,
      },
    ])
    const page = await open('/alerts')
    const card = cardOf(page, 'Clicks dropped')
    await expectVisible(card.getByText('50.0%'), card.getByText('vs last week'), card.getByRole('slider'))
  })

  test(
    'an unknown severity is gray and has its own label; missing fields take their defaults',
    { tags: ['full'] },
    async ({ desk, open }) => {
      const { severity: _severity, title: _title, description: _description, data: _data, ...rest } = alertOf()
      desk.say('GET /api/alerts', [alertOf({ severity: 'curious' }), rest])
      const page = await open('/alerts')
      const badge = cards(page).first().getByText('Curious', { exact: true })
      await expectVisible(badge)
      expect(await badge.getAttribute('class')).toContain('text-muted')
      const other = cardOf(page, 'Unknown Alert')
      await expectVisible(other.getByText('Warning', { exact: true }), other.getByText('No description available'))
      await expectCount(other.getByRole('slider'), 0)
    },
  )
})

test('more than fifty come in steps; positions change in positions', { tags: ['full'] }, async ({ desk, open }) => {
  keepAlerts(desk, [
    queryAlert('lost', 1, { type: 'position', previousValue: 3.2, currentValue: 7.6, change: 4.4 }),
    queryAlert('won', 2, { type: 'position', previousValue: 7.6, currentValue: 3.2, change: -4.4 }),
    ...Array.from({ length: 100 }, (_, index) => queryAlert(`query ${index}`, 3 + index)),
  ])
  const page = await open('/alerts')
  await expectVisible(board(page).getByText('102 alerts', { exact: true }))
  await expectVisible(cardOf(page, 'lost').getByText('Dropped 4.4 positions'), cardOf(page, 'won').getByText('Improved 4.4 positions'))
  await expectCount(cards(page), 50)
  await page.getByRole('button', { name: 'Show more (52 left)' }).click()
  await expect.poll(() => cards(page).count()).toBe(100)
  await expectAddress(page, '/alerts?show=100')
  await page.getByRole('button', { name: 'Show more (2 left)' }).click()
  await expect.poll(() => cards(page).count()).toBe(102)
  await expectGone(page.getByRole('button', { name: /^Show more/ }))
})
