import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alerts as alertList, type Alert } from '../../src/contract/alerts.ts'
import { type Alerted, alerted, alertedAtOnce } from '../support/alerted.ts'
import type { TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible, pathOf } from '../support/browser-expect.ts'
import { hold } from '../support/browser-hold.ts'
import { runJob } from '../support/jobs.ts'
import { newPerson, ownerOf, refresh, stoppedAs } from '../support/people.ts'
import { putAlerts } from '../support/stored-alerts.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
/** Whose alerts nothing is done about. */
let reader: Alerted
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
  reader = await alerted(app, 'reader')
})
afterAll(() => demo.close())

/** What a screen or the server comes to say after a while. */
const expectSoon = <T>(look: () => T | Promise<T>) => expect.poll(look, { timeout: 15_000, interval: 50 })

const list = /\/api\/alerts\?/
const board = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true })
const cards = (page: Page) => board(page).getByRole('article')
const rows = (page: Page) =>
  board(page)
    .getByRole('row')
    .filter({ has: page.getByRole('heading') })
const recent = (page: Page) => page.getByRole('region', { name: 'Recent Alerts' })
const range = (page: Page) => page.getByRole('combobox', { name: 'Date range' })
const view = (page: Page, name: 'Cards' | 'Table') => page.getByRole('radio', { name })
const showAs = (page: Page, name: 'Cards' | 'Table') => page.getByRole('group', { name: 'View' }).getByText(name).click()

async function open(person: Alerted, address = '/alerts', options: VisitOptions = {}): Promise<Page> {
  const page = await browser.visitAs(person.person, address, options)
  await expectVisible(page.getByRole('heading', { name: 'Active Alerts', level: 1 }), board(page).getByRole('heading', { level: 3 }))
  return page
}

async function chooseRange(page: Page, name: string): Promise<void> {
  await range(page).click()
  await page.getByRole('option', { name }).click()
}

/** The alert of that person whose title holds these words. */
async function alertOf({ found }: Alerted, words: string): Promise<Alert> {
  const alert = (await found()).find(({ title }) => title.includes(words))
  if (!alert) throw new Error(`No alert about ${words}`)
  return alert
}
const cardOf = (page: Page, words: string) => cards(page).filter({ has: page.getByRole('heading', { name: words }) })

test('alerts are shown as cards of the last 7 days, with everything about them', async () => {
  const page = await open(reader)
  expect(await view(page, 'Cards').isChecked()).toBe(true)
  await expectText(range(page), 'Last 7 days')
  expect(await cards(page).count()).toBe(12)
  await expectVisible(board(page).getByText('12 alerts', { exact: true }))

  const alert = await alertOf(reader, 'Clicks dropped: https://reader.example/lamps')
  const card = cardOf(page, alert.title)
  await expectVisible(
    card.getByText('Critical', { exact: true }),
    card.getByText('New', { exact: true }),
    card.getByText('Today, 20:00', { exact: true }),
    card.locator('code').getByText('https://reader.example/lamps', { exact: true }),
    card.getByText('5.6K', { exact: true }),
    card.getByText('from 14K', { exact: true }),
    card.getByText('Down 60.0%', { exact: true }),
    card.getByText('vs last week', { exact: true }),
  )
  expect(await card.innerText()).not.toContain('<')
  const line = card.getByRole('slider', { name: `Clicks by day: ${alert.title}` })
  await line.focus()
  expect(await line.getAttribute('aria-valuetext')).toMatch(/^16 Mar: 800(;|$)/)
  await page.keyboard.press('Home')
  expect(await line.getAttribute('aria-valuetext')).toMatch(/^17 Feb: 2,000(;|$)/)
  expect((await line.locator('..').boundingBox())?.height).toBe(48)
})

test('while they load there are four skeletons, and the table says so', async () => {
  const page = await open(reader)
  const { release } = await hold(page, list)
  await page.reload()
  await expectVisible(board(page).getByText('Loading alerts...'))
  expect(await board(page).locator('[aria-busy=true] > div > div').count()).toBe(4)
  await showAs(page, 'Table')
  await expectVisible(board(page).getByRole('cell').getByText('Loading alerts...'))
  release()
  await expectVisible(rows(page))
})

test('without alerts there is a way to make some', async () => {
  const site = 'https://quiet.example/'
  const page = await browser.visitAs(await ownerOf(app, site, { days: 3, email: 'quiet@example.test' }), '/alerts')
  const dialog = page.getByRole('dialog', { name: 'New Alert' })
  for (const [name, opener] of [
    ['Cards', 'Create Alert'],
    ['Table', 'Create New Alert'],
  ] as const) {
    await showAs(page, name)
    await expectVisible(board(page).getByText('No alerts at this time', { exact: true }))
    await board(page).getByRole('button', { name: opener, exact: true }).click()
    await expectVisible(dialog.getByText(site))
    await page.keyboard.press('Escape')
    await expectGone(dialog)
  }
  await page.getByRole('button', { name: 'New Alert', exact: true }).click()
  await expectVisible(dialog)
  await page.keyboard.press('Escape')
  await expectVisible(recent(page).getByText('No alerts generated yet'))
})

test('without a property the screen says what it needs one for', async () => {
  const page = await browser.visitAs(await newPerson(app, { email: 'nothing@example.test' }), '/alerts')
  await expectVisible(page.getByRole('heading', { name: 'Property Required' }), page.getByRole('link', { name: 'Select Property' }))
})

test('the table has its columns, and percent only where they can be told', async () => {
  const person = await alertedAtOnce(app, 'table')
  const { sql } = await app.stores()
  const none = await alertOf(person, 'Clicks dropped: https://table.example/beds')
  await sql(`UPDATE alerts SET figures = jsonb_set(figures, '{previous}', '0') WHERE id = $1`, [none.id])
  const page = await open(person, '/alerts?view=table')
  expect(await board(page).getByRole('columnheader').allInnerTexts()).toEqual([
    'Select',
    'Status',
    'Type',
    'Alert Details',
    'Change',
    'Actions',
  ])
  expect(await rows(page).count()).toBe(12)

  const alert = await alertOf(person, 'Impressions dropped: “lamps”')
  const row = rows(page).filter({ hasText: alert.title })
  const cell = (at: number) => row.getByRole('cell').nth(at)
  await expectText(cell(1), 'Critical New')
  await expectText(cell(2), 'Impressions')
  await expectText(cell(4), 'Down 60.0% vs last week')
  await expectText(rows(page).filter({ hasText: none.title }).getByRole('cell').nth(4), '')
  const toSearchConsole = row.getByRole('link', { name: `Open in Search Console: ${alert.title} (new tab)` })
  expect(await toSearchConsole.getAttribute('href')).toBe(
    `https://search.google.com/search-console?resource_id=${encodeURIComponent(alert.target)}`,
  )
  expect(await row.getByRole('link', { name: `View full report: ${alert.title}` }).getAttribute('href')).toBe(`/alerts/${alert.id}`)
})

test('on a phone the table is a list of cards', async () => {
  const page = await open(reader, '/alerts?view=table', { width: 375, height: 812, touch: true })
  expect(await board(page).getByRole('table').count()).toBe(0)
  expect(await board(page).getByRole('listitem').count()).toBe(12)
  await page.setViewportSize({ width: 1_280, height: 800 })
  await expectVisible(rows(page))
})

describe('what is chosen is in the address, and there again after loading', () => {
  let person: Alerted
  beforeAll(async () => {
    person = await alerted(app, 'ranges')
    const { sql } = await app.stores()
    const [old, lasting, older] = await person.found()
    // One that recovered, one that lasts, and one that has been over for long.
    const over = `state = 'recovered', recovered_at = opened_at - interval '9 days'`
    await sql(`UPDATE alerts SET ${over}, opened_at = opened_at - interval '10 days' WHERE id = $1`, [old?.id])
    await sql(`UPDATE alerts SET opened_at = opened_at - interval '60 days' WHERE id = $1`, [lasting?.id])
    await sql(`UPDATE alerts SET ${over}, opened_at = opened_at - interval '26 days' WHERE id = $1`, [older?.id])
  })
  const shown = async (page: Page, count: number) => {
    await expectVisible(board(page).getByText(`${count} alerts`, { exact: true }))
    await expectSoon(() => cards(page).or(rows(page)).count()).toBe(count)
  }

  test('view and range', async () => {
    const page = await open(person)
    // Open ones are always there; what is over only if it is of the range.
    await shown(page, 10)
    await chooseRange(page, 'Last 30 days')
    await shown(page, 12)
    await expectVisible(board(page).getByText('Recovered', { exact: true }))
    await showAs(page, 'Table')
    await expectAddress(page, '/alerts?view=table&range=30')
    await page.reload()
    await shown(page, 12)
    expect(await view(page, 'Table').isChecked()).toBe(true)
    await expectText(range(page), 'Last 30 days')

    await page.getByRole('checkbox', { name: 'Open only' }).click()
    await shown(page, 10)
    await expectAddress(page, '/alerts?view=table&range=30&open=only')
    await expectGone(board(page).getByText('Recovered', { exact: true }))
    await page.goBack()
    await shown(page, 12)
  })

  test('a custom range, limited to the days that have data', async () => {
    const page = await open(person)
    await chooseRange(page, 'Custom range')
    // The sample data goes up to yesterday and 31 days back.
    const picker = page.getByRole('button', { name: /^Dates:/ })
    await expectText(picker, '12–18 Mar 2026')
    await expectAddress(page, '/alerts?range=custom&from=2026-03-12&to=2026-03-18')
    await shown(page, 10)

    await picker.click()
    const calendar = page.getByRole('dialog', { name: 'Choose dates' })
    await expectVisible(calendar.getByText('Data: 16 Feb–18 Mar 2026'))
    const day = (name: string) => calendar.getByRole('button', { name, exact: true })
    expect([await day('Wednesday, 18 March 2026').isEnabled(), await day('Thursday, 19 March 2026').isEnabled()]).toEqual([true, false])
    expect(await calendar.getByRole('button', { name: 'Next month' }).getAttribute('aria-disabled')).toBe('true')
    await calendar.getByRole('button', { name: 'Previous month' }).click()
    expect([await day('Monday, 16 February 2026').isEnabled(), await day('Sunday, 15 February 2026').isEnabled()]).toEqual([true, false])
    await day('Wednesday, 18 February 2026').click()
    await expectVisible(calendar.getByText('Choose the last day.'))
    await day('Friday, 20 February 2026').click()
    await expectGone(calendar)
    await expectFocused(picker)
    await expectAddress(page, '/alerts?range=custom&from=2026-02-18&to=2026-02-20')
    // Those over since, and the open one that is older; not those opened after it.
    await shown(page, 2)
    await page.reload()
    await expectText(picker, '18–20 Feb 2026')
    await shown(page, 2)
  })

  test('a custom range by the keyboard alone', async () => {
    const page = await open(person, '/alerts?range=custom&from=2026-03-12&to=2026-03-16')
    await page.getByRole('button', { name: /^Dates:/ }).focus()
    await page.keyboard.press('Enter')
    const focused = (name: string) => expectFocused(page.getByRole('button', { name, exact: true }))
    await focused('Monday, 16 March 2026')
    await page.keyboard.press('ArrowUp')
    await focused('Monday, 9 March 2026')
    await page.keyboard.press('End')
    await focused('Sunday, 15 March 2026')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('PageUp')
    await focused('Monday, 16 February 2026')
    await page.keyboard.press('Enter')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('Enter')
    await expectAddress(page, '/alerts?range=custom&from=2026-02-16&to=2026-03-16')
  })

  test('an address with days beyond the data is brought back to them', async () => {
    const page = await open(person, '/alerts?range=custom&from=2020-01-01&to=2026-02-20')
    await expectText(page.getByRole('button', { name: /^Dates:/ }), '16–20 Feb 2026')
  })

  test('while a filter changes, the old ones dim', async () => {
    const page = await open(person)
    const { release } = await hold(page, list)
    await chooseRange(page, 'Last 30 days')
    const old = board(page).locator('[aria-busy=true]')
    await expectVisible(old.getByRole('article'))
    expect(await old.evaluate((element) => getComputedStyle(element).opacity)).toBe('0.5')
    release()
    await shown(page, 12)
    await expectGone(old)
  })
})

describe('what can be done about one', () => {
  const words = 'Clicks dropped: https://acts.example/'
  let person: Alerted
  beforeAll(async () => {
    person = await alertedAtOnce(app, 'acts')
  })

  test('acknowledge', async () => {
    const page = await open(person)
    const card = cardOf(page, `${words}lamps`)
    await card.getByRole('button', { name: 'Acknowledge' }).click()
    await expectToast(page, 'success', 'Alert Acknowledged')
    await expectVisible(card.getByText('Acknowledged', { exact: true }))
    await expectGone(card.getByRole('button', { name: 'Acknowledge' }))
    await expectSoon(async () => (await alertOf(person, `${words}lamps`)).state).toBe('acknowledged')
  })

  test('acknowledge, with the keyboard: the focus stays with the alert, and goes on to the next one when it leaves the list', async () => {
    const page = await open(await alertedAtOnce(app, 'kept'))
    const lamps = cardOf(page, 'Clicks dropped: https://kept.example/lamps')
    await lamps.getByRole('button', { name: 'Acknowledge' }).press('Enter')
    await expectFocused(lamps.getByRole('heading').getByRole('link'))

    await page.goto('/dashboard')
    const severe = page.getByRole('region', { name: 'Open alerts' }).getByRole('article')
    await expectVisible(severe.first())
    const title = (await severe.first().getByRole('heading').textContent()) ?? ''
    await severe.first().getByRole('button', { name: 'Acknowledge' }).press('Enter')
    await expectGone(severe.filter({ has: page.getByRole('heading', { name: title }) }))
    await expectFocused(severe.first().getByRole('heading').getByRole('link'))
  })

  test.each([
    ['1 day', 'tomorrow, 20:00', '2026-03-19T20:00:00.000Z'],
    ['1 week', '25 Mar, 20:00', '2026-03-25T20:00:00.000Z'],
  ])('snooze for %s', async (choice, said, until) => {
    const page = await open(person)
    const card = cardOf(page, `${words}beds`)
    await card.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: choice }).click()
    await expectToast(page, 'success', 'Alert Snoozed', `It comes back ${said}.`)
    await expectVisible(card.getByText(`Snoozed until ${said}`, { exact: true }))
    await expectSoon(() => alertOf(person, `${words}beds`)).toMatchObject({ state: 'snoozed', snoozedUntil: until })
  })

  test('snooze until a date, and end it', async () => {
    const page = await open(person)
    const card = cardOf(page, `${words}sofas`)
    const menu = card.getByRole('button', { name: 'Snooze' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Until a date…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Snooze until a date' })
    const day = (name: string) => dialog.getByRole('button', { name, exact: true })
    await expectFocused(day('Thursday, 19 March 2026'))
    expect(await day('Wednesday, 18 March 2026').isEnabled()).toBe(false)
    await day('Tuesday, 31 March 2026').click()
    await expectVisible(card.getByText('Snoozed until 31 Mar, 08:00', { exact: true }))
    await expectSoon(() => alertOf(person, `${words}sofas`)).toMatchObject({ snoozedUntil: '2026-03-31T08:00:00.000Z' })

    await menu.click()
    await page.getByRole('menuitem', { name: 'End the snooze' }).click()
    await expectGone(card.getByText(/^Snoozed until/))
    await expectSoon(() => alertOf(person, `${words}sofas`)).toMatchObject({ state: 'firing', snoozedUntil: null })
  })

  test('what the server does not take is taken back, and a message says why', async () => {
    const page = await open(person)
    const card = cardOf(page, `${words}chairs`)
    const acknowledgeIt = card.getByRole('button', { name: 'Acknowledge' })
    await page.context().setOffline(true)
    await acknowledgeIt.click()
    await expectToast(page, 'error', 'Alert Not Acknowledged', 'The alert could not be acknowledged. Please try again.')
    await expectVisible(acknowledgeIt)
    expect(await card.getByText('Acknowledged', { exact: true }).count()).toBe(0)
    await page.context().setOffline(false)

    // The server's clock is ahead: tomorrow has passed there.
    app.google.advance(48 * 3_600_000)
    await card.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: '1 day' }).click()
    await expectToast(page, 'error', 'Alert Not Snoozed', 'Choose a time that is still to come.')
    await expectGone(card.getByText(/^Snoozed until/))
    app.google.advance(-48 * 3_600_000)
    expect(await alertOf(person, `${words}chairs`)).toMatchObject({ state: 'firing', snoozedUntil: null })
  })
})

describe('several at once', () => {
  test('chosen in the table', async () => {
    const person = await alertedAtOnce(app, 'bulk')
    const page = await open(person, '/alerts?view=table')
    const some = page.getByRole('checkbox', { name: /^Select: Clicks dropped: .*(lamps|beds)/ })
    for (const box of await some.all()) await box.check()
    const all = page.getByRole('checkbox', { name: 'Select all' })
    expect(await all.evaluate((box) => box instanceof HTMLInputElement && box.indeterminate)).toBe(true)
    await page.getByRole('button', { name: 'Acknowledge 2 alerts' }).click()
    await expectToast(page, 'success', '2 Alerts Acknowledged')
    await expectGone(page.getByRole('button', { name: /alerts?$/ }))
    await expectSoon(async () => (await person.found()).filter(({ state }) => state === 'acknowledged').length).toBe(2)
    // Those cannot be chosen any more.
    await expectSoon(() => some.count()).toBe(0)
  })

  test('all of them, as cards; the rest stays as it is when that fails', async () => {
    const person = await alertedAtOnce(app, 'bulk-cards')
    const page = await open(person)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    const button = page.getByRole('button', { name: 'Acknowledge 12 alerts' })
    await page.context().setOffline(true)
    await button.click()
    await expectToast(page, 'error', 'Alerts Not Acknowledged')
    await expectVisible(button)
    await page.context().setOffline(false)
    await button.click()
    await expectToast(page, 'success', '12 Alerts Acknowledged')
    await expectSoon(async () => new Set((await person.found()).map(({ state }) => state))).toEqual(new Set(['acknowledged']))
    await expectGone(board(page).getByRole('checkbox', { name: /^Select:/ }))
  })
})

describe('opening what an alert is about', () => {
  test('in Search Console marks it as viewed', async () => {
    const person = await alertedAtOnce(app, 'opening')
    const page = await open(person)
    const alert = await alertOf(person, 'Clicks dropped: https://opening.example/lamps')
    const card = cardOf(page, alert.title)
    // Google itself is no part of the test.
    await page.context().route('https://search.google.com/**', (route) => route.fulfill({ body: 'Search Console' }))
    const link = card.getByRole('link', { name: 'View in GSC' })
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await expect
      .poll(() => opened.url())
      .toBe(`https://search.google.com/search-console?resource_id=${encodeURIComponent('https://opening.example/')}`)
    await expectVisible(card.getByText('Viewed', { exact: true }))
    await expectSoon(async () => (await alertOf(person, alert.title)).viewed).toBe(true)
  })

  test('and its report as well, from card, table and recent alerts', async () => {
    const person = await alertedAtOnce(app, 'reports')
    const clicks = await alertOf(person, 'Clicks dropped: https://reports.example/lamps')
    const impressions = await alertOf(person, 'Impressions dropped: “lamps”')
    const beds = await alertOf(person, 'Clicks dropped: https://reports.example/beds')
    const page = await open(person)
    await cardOf(page, clicks.title).getByRole('link', { name: 'View full report' }).click()
    await expectAddress(page, `/alerts/${clicks.id}`)
    await page.goBack()
    await expectVisible(cardOf(page, clicks.title).getByText('Viewed', { exact: true }))

    await showAs(page, 'Table')
    await page.getByRole('link', { name: `View full report: ${impressions.title}` }).click()
    await expectAddress(page, `/alerts/${impressions.id}`)
    await page.goBack()
    await recent(page).getByRole('link', { name: beds.title, exact: true }).click()
    await expectAddress(page, `/alerts/${beds.id}`)
    await expectSoon(async () => (await person.found()).filter(({ viewed }) => viewed).length).toBe(3)
  })
})

describe('by the keyboard', () => {
  test.each(['/alerts', '/alerts?view=table'])('j and k move, e acknowledges, Enter opens: %s', async (address) => {
    const person = await alertedAtOnce(app, address === '/alerts' ? 'keys' : 'table-keys')
    const [first, second, third] = await person.found()
    const page = await open(person, address)
    const link = (alert: Alert | undefined) => board(page).getByRole('link', { name: alert?.title ?? '', exact: true })
    await page.keyboard.press('j')
    await expectFocused(link(first))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expectFocused(link(third))
    await page.keyboard.press('k')
    await expectFocused(link(second))
    await page.keyboard.press('e')
    await expectToast(page, 'success', 'Alert Acknowledged')
    await expect
      .poll(async () => (await person.found()).map(({ state }) => state).slice(0, 3))
      .toEqual(['firing', 'acknowledged', 'firing'])
    await page.keyboard.press('Enter')
    await expectAddress(page, `/alerts/${second?.id}`)
  })

  test('but not while something is typed or a menu is open', async () => {
    const person = await alertedAtOnce(app, 'typing')
    const page = await open(person)
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
    expect((await person.found()).map(({ state }) => state)).toEqual(Array.from({ length: 12 }, () => 'firing'))
  })
})

describe('recent alerts', () => {
  test('are ten at most, counted whole, and the rest is in the history', async () => {
    const page = await open(reader, '/alerts?view=table')
    await expectVisible(recent(page).getByText('12 alerts', { exact: true }))
    expect(await recent(page).getByRole('listitem').count()).toBe(10)
    await recent(page).getByRole('link', { name: 'View All Alerts (12)' }).click()
    await expectAddress(page, '/alert-history')
  })

  test('of ten and fewer there is nothing more to see', async () => {
    const person = await alertedAtOnce(app, 'few')
    const { sql } = await app.stores()
    const [one, other] = await person.found()
    await sql('DELETE FROM alerts WHERE id = any($1)', [[one?.id, other?.id]])
    const page = await open(person)
    await expectVisible(recent(page).getByText('10 alerts', { exact: true }))
    expect(
      await recent(page)
        .getByRole('link', { name: /^View All Alerts/ })
        .count(),
    ).toBe(0)
  })
})

test('an alert about the connection says how to mend it', async () => {
  const person = await ownerOf(app, 'https://broken.example/', { days: 3, email: 'broken@example.test' })
  await app.google.call('POST', 'tokens/revoke', { account: 'broken@example.test' })
  await refresh(person, 'https://broken.example/')
  await stoppedAs(person, 'https://broken.example/', 'token_revoked')
  await runJob(app, 'alerts-due')
  const page = await browser.visitAs(person, '/alerts')
  const card = cardOf(page, 'Google access was revoked')
  await expectVisible(card, recent(page).getByRole('link', { name: 'Reconnect Google' }))
  expect(await card.getByRole('slider').count()).toBe(0)
  await showAs(page, 'Table')
  await expectText(rows(page).getByRole('cell').nth(2), 'Connection')
  await rows(page).getByRole('link', { name: 'Reconnect Google' }).click()
  await expectVisible(page.getByRole('button', { name: 'Continue' }))
})

describe('answers that are not as they should be', () => {
  test('a load that fails says of which property, and can be tried again', async () => {
    const page = await open(reader)
    await page.route(list, (route) => route.fulfill({ status: 502, json: { message: 'The store does not answer.' } }))
    await page.reload()
    const problem = page.getByRole('alert').filter({ hasText: 'Unable to load alerts' }).first()
    await expectVisible(problem.getByText('https://reader.example/: The store does not answer.'))
    await page.unroute(list)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectSoon(() => cards(page).count()).toBe(12)
  })

  test('one that fails later leaves what was there', async () => {
    const person = await alertedAtOnce(app, 'failing-later')
    const page = await open(person)
    await page.route(list, (route) => route.fulfill({ status: 502, json: { message: 'The store does not answer.' } }))
    await cards(page).first().getByRole('button', { name: 'Acknowledge' }).click()
    const problem = board(page).getByRole('alert')
    await expectVisible(problem.getByText(/^The alerts of https:\/\/failing-later\.example\/ could not be loaded again/))
    await expectVisible(cards(page).first().getByText('Acknowledged', { exact: true }))
    await page.unroute(list)
    await problem.getByRole('button', { name: 'Try again' }).click()
    await expectGone(problem)
  })

  test('something that is no list counts as an empty one', async () => {
    const page = await open(reader)
    await page.route(list, (route) => route.fulfill({ json: { alerts: 'none' } }))
    await page.reload()
    await expectVisible(board(page).getByText('No alerts at this time', { exact: true }))
  })

  test('an unknown severity is grey and has its own word; what is missing takes its default', async () => {
    const page = await open(reader)
    await page.route(list, async (route) => {
      const found = alertList.parse(await (await route.fetch()).json())
      const { severity: _severity, title: _title, description: _description, data: _data, ...rest } = found[0]!
      await route.fulfill({ json: [{ ...found[1]!, severity: 'curious' }, rest] })
    })
    await page.reload()
    const badge = cards(page).first().getByText('Curious', { exact: true })
    await expectVisible(badge)
    expect(await badge.getAttribute('class')).toContain('text-muted')
    const other = cardOf(page, 'Unknown Alert')
    await expectVisible(other.getByText('Warning', { exact: true }), other.getByText('No description available'))
    expect(await other.getByRole('slider').count()).toBe(0)
  })
})

test('more than fifty come in steps; positions change in positions', async () => {
  const site = 'https://many.example/'
  const person = await ownerOf(app, site, { days: 3, email: 'many@example.test' })
  const query = (name: string) => ({ kind: 'query', name }) as const
  const before = (hours: number) => new Date(app.google.now().getTime() - hours * 3_600_000).toISOString()
  await putAlerts(app, site, [
    { openedAt: before(1), type: 'position', entity: query('lost'), previous: 3.2, current: 7.6, change: 4.4 },
    { openedAt: before(2), type: 'position', entity: query('won'), previous: 7.6, current: 3.2, change: -4.4 },
    ...Array.from({ length: 100 }, (_, index) => ({ openedAt: before(3 + index), entity: query(`query ${index}`) })),
  ])
  const page = await browser.visitAs(person, '/alerts')
  await expectVisible(board(page).getByText('102 alerts', { exact: true }))
  await expectVisible(cardOf(page, 'lost').getByText('Dropped 4.4 positions'), cardOf(page, 'won').getByText('Improved 4.4 positions'))
  expect(await cards(page).count()).toBe(50)
  await page.getByRole('button', { name: 'Show more (52 left)' }).click()
  await expectSoon(() => cards(page).count()).toBe(100)
  expect(pathOf(page)).toBe('/alerts?show=100')
  await page.getByRole('button', { name: 'Show more (2 left)' }).click()
  await expectSoon(() => cards(page).count()).toBe(102)
  await expectGone(page.getByRole('button', { name: /^Show more/ }))
})
