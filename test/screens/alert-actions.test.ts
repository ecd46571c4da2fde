import type { Page } from 'playwright-core'
import { atSearchConsole, twelveAlerts } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import {
  expectAddress,
  expectCount,
  expectDisabled,
  expectFocused,
  expectGone,
  expectToast,
  expectVisible,
} from '../support/browser-expect.ts'
import { describe, expect, test } from '../support/screen-test.ts'

const board = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true })
const cards = (page: Page) => board(page).getByRole('article')
const cardOf = (page: Page, words: string) => cards(page).filter({ has: page.getByRole('heading', { name: words }) })
const clicksOf = (path: string) => `Clicks dropped: https://lumenandloom.example/${path}`

describe('actions on one', () => {
  test('acknowledge', { tags: ['full'] }, async ({ desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    const card = cardOf(page, clicksOf('lamps'))
    await card.getByRole('button', { name: 'Acknowledge' }).click()
    await expectToast(page, 'success', 'Alert Acknowledged')
    await expectVisible(card.getByText('Acknowledged', { exact: true }))
    await expectGone(card.getByRole('button', { name: 'Acknowledge' }))
    expect(kept.about(clicksOf('lamps')).state).toBe('acknowledged')
  })

  test(
    'acknowledge, by keyboard: the focus stays with the alert, and moves on to the next one when it leaves the list',
    { tags: ['full'] },
    async ({ desk, open }) => {
      keepAlerts(desk, twelveAlerts())
      const page = await open('/alerts')
      const lamps = cardOf(page, clicksOf('lamps'))
      await lamps.getByRole('button', { name: 'Acknowledge' }).press('Enter')
      await expectFocused(lamps.getByRole('heading').getByRole('link'))

      await page.goto('/dashboard')
      const severe = page.getByRole('region', { name: 'Open alerts' }).getByRole('article')
      await expectVisible(severe.first())
      const title = (await severe.first().getByRole('heading').textContent()) ?? ''
      await severe.first().getByRole('button', { name: 'Acknowledge' }).press('Enter')
      await expectGone(severe.filter({ has: page.getByRole('heading', { name: title }) }))
      await expectFocused(severe.first().getByRole('heading').getByRole('link'))
    },
  )

  test.for([
    ['1 day', 'tomorrow at 19:00', '2026-03-19T19:00:00.000Z'],
    ['1 week', '25 Mar at 19:00', '2026-03-25T19:00:00.000Z'],
  ] as const)('snooze for %s', { tags: ['full'] }, async ([choice, said, until], { desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    const card = cardOf(page, clicksOf('beds'))
    await card.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: choice }).click()
    await expectToast(page, 'success', 'Alert Snoozed', `It reopens ${said}.`)
    await expectVisible(card.getByText(`Snoozed until ${said}`, { exact: true }))
    expect(kept.about(clicksOf('beds'))).toMatchObject({ state: 'snoozed', snoozedUntil: until })
  })

  test('snooze until a date, and end it', { tags: ['full'] }, async ({ desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    const card = cardOf(page, clicksOf('sofas'))
    const menu = card.getByRole('button', { name: 'Snooze' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Until a date…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze until a date' })
    const day = (name: string) => dialog.getByRole('button', { name, exact: true })
    await expectFocused(day('Thursday, 19 March 2026'))
    await expectDisabled(day('Wednesday, 18 March 2026'))
    await day('Tuesday, 31 March 2026').click()
    await expectVisible(card.getByText('Snoozed until 31 Mar at 08:00', { exact: true }))
    await expect.poll(() => kept.about(clicksOf('sofas'))).toMatchObject({ snoozedUntil: '2026-03-31T08:00:00.000Z' })

    await menu.click()
    await page.getByRole('menuitem', { name: 'End snooze' }).click()
    await expectGone(card.getByText(/^Snoozed until/))
    await expect.poll(() => kept.about(clicksOf('sofas'))).toMatchObject({ state: 'firing', snoozedUntil: null })
  })

  test('what the server refuses is undone, and a message says why', async ({ desk, open }) => {
    keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    const card = cardOf(page, clicksOf('chairs'))
    const acknowledgeIt = card.getByRole('button', { name: 'Acknowledge' })
    await expectVisible(acknowledgeIt)
    await page.context().setOffline(true)
    await acknowledgeIt.click()
    await expectToast(page, 'error', 'Alert Not Acknowledged', 'The alert could not be acknowledged. Please try again.')
    await expectVisible(acknowledgeIt)
    await expectCount(card.getByText('Acknowledged', { exact: true }), 0)
    await page.context().setOffline(false)

    desk.refuse('POST /api/alerts/:id/snooze', 400, { message: 'Choose a time in the future.' })
    await card.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: '1 day' }).click()
    await expectToast(page, 'error', 'Alert Not Snoozed', 'Choose a time in the future.')
    await expectGone(card.getByText(/^Snoozed until/))
  })
})

describe('several at once', { tags: ['full'] }, () => {
  test('selected in the table', async ({ desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts?view=table')
    const some = page.getByRole('checkbox', { name: /^Select: Clicks dropped: .*(lamps|beds)/ })
    await expectVisible(some)
    for (const box of await some.all()) await box.check()
    const all = page.getByRole('checkbox', { name: 'Select all' })
    expect(await all.evaluate((box) => box instanceof HTMLInputElement && box.indeterminate)).toBe(true)
    await page.getByRole('button', { name: 'Acknowledge 2 alerts' }).click()
    await expectToast(page, 'success', '2 Alerts Acknowledged')
    await expectGone(page.getByRole('button', { name: /alerts?$/ }))
    expect(kept.all().filter(({ state }) => state === 'acknowledged')).toHaveLength(2)
    // Those can no longer be selected.
    await expect.poll(() => some.count()).toBe(0)
  })

  test('all of them, as cards; the others stay unchanged if that fails', async ({ desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    const button = page.getByRole('button', { name: 'Acknowledge 12 alerts' })
    await expectVisible(button)
    await page.context().setOffline(true)
    await button.click()
    await expectToast(page, 'error', 'Alerts Not Acknowledged')
    await expectVisible(button)
    await page.context().setOffline(false)
    await button.click()
    await expectToast(page, 'success', '12 Alerts Acknowledged')
    expect(new Set(kept.all().map(({ state }) => state))).toEqual(new Set(['acknowledged']))
    await expectGone(board(page).getByRole('checkbox', { name: /^Select:/ }))
  })
})

describe("opening an alert's subject", { tags: ['full'] }, () => {
  test('in Search Console marks it as viewed', async ({ desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    const card = cardOf(page, clicksOf('lamps'))
    // Google itself isn't part of the test.
    await page.context().route('https://search.google.com/**', (route) => route.fulfill({ body: 'Search Console' }))
    const [opened] = await Promise.all([page.context().waitForEvent('page'), card.getByRole('link', { name: 'View in GSC' }).click()])
    await expect.poll(() => opened.url()).toBe(atSearchConsole(kept.about(clicksOf('lamps'))))
    await expectVisible(card.getByText('Viewed', { exact: true }))
    await expect.poll(() => kept.about(clicksOf('lamps')).viewed).toBe(true)
  })

  test('so does its report, from card, table and recent alerts', async ({ desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const clicks = kept.about(clicksOf('lamps'))
    const impressions = kept.about('Impressions dropped: “lamps”')
    const beds = kept.about(clicksOf('beds'))
    const page = await open('/alerts')
    await cardOf(page, clicks.title).getByRole('link', { name: 'View full report' }).click()
    await expectAddress(page, `/alerts/${clicks.id}`)
    await page.goBack()
    await expectVisible(cardOf(page, clicks.title).getByText('Viewed', { exact: true }))

    await page.getByRole('group', { name: 'View' }).getByText('Table').click()
    await page.getByRole('link', { name: `View full report: ${impressions.title}` }).click()
    await expectAddress(page, `/alerts/${impressions.id}`)
    await page.goBack()
    await page.getByRole('region', { name: 'Recent Alerts' }).getByRole('link', { name: beds.title, exact: true }).click()
    await expectAddress(page, `/alerts/${beds.id}`)
    await expect.poll(() => kept.all().filter(({ viewed }) => viewed)).toHaveLength(3)
  })
})

describe('by keyboard', { tags: ['full'] }, () => {
  test.for(['/alerts', '/alerts?view=table'])('j and k move, e acknowledges, Enter opens: %s', async (address, { desk, open }) => {
    const kept = keepAlerts(desk, twelveAlerts())
    const page = await open(address)
    const link = (at: number) => board(page).getByRole('link', { name: kept.all()[at]?.title ?? '', exact: true })
    await expectVisible(link(0))
    await page.keyboard.press('j')
    await expectFocused(link(0))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expectFocused(link(2))
    await page.keyboard.press('k')
    await expectFocused(link(1))
    await page.keyboard.press('e')
    await expectToast(page, 'success', 'Alert Acknowledged')
    expect(kept.all().map(({ state }) => state)).toEqual(Array.from({ length: 12 }, (_, at) => (at === 1 ? 'acknowledged' : 'firing')))
    await page.keyboard.press('Enter')
    await expectAddress(page, `/alerts/${kept.all()[1]?.id}`)
  })

  test('but not while typing or with an open menu', async ({ desk, open }) => {
    keepAlerts(desk, twelveAlerts())
    const page = await open('/alerts')
    await expectVisible(cards(page))
    await page.keyboard.press('j')
    await cards(page).first().getByRole('button', { name: 'Snooze' }).click()
    await expectVisible(page.getByRole('menu'))
    await page.keyboard.press('e')
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('menu'))
    await page.getByRole('button', { name: 'New Alert', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'New Alert' })
    await dialog.getByRole('textbox').first().pressSequentially('jek')
    await expectVisible(dialog)
    expect(desk.asked('POST /api/alerts/acknowledge')).toEqual([])
  })
})
