import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sites, type TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { before, cardOf, type Cards, cardsAtGoogle, expectCards, finalDay, metrics, spoken } from '../support/browser-cards.ts'
import { expectAddress, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { ownerOf } from '../support/people.ts'
import { putAlerts } from '../support/stored-alerts.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

/** What the stand-in's control API says the four cards must show now. */
const cardsNow = async (site: string): Promise<Cards> => cardsAtGoogle(app.google, site, await finalDay(app.google, site))

const openDashboard = async (): Promise<Page> => browser.visitAs(await app.demo(), '/dashboard')

async function choose(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Property: ${from}` }).click()
  await page.getByRole('menuitemradio', { name: to }).click()
  await expectVisible(page.getByRole('button', { name: `Property: ${to}` }))
}

test('somebody signs in as demo and sees the figures that Google has for the same dates', async () => {
  const page = await browser.visit('/')
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('textbox', { name: 'Username' }).fill('demo')
  await page.getByRole('textbox', { name: 'Password' }).fill('demo-password')
  await page.getByRole('button', { name: 'Login' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: `Property: ${sites.shop}` }), page.getByRole('region', { name: 'Demo' }))
  await expectCards(page, await cardsNow(sites.shop))
  await expectVisible(page.getByText(`Last updated: Today, 20:00, complete through ${spoken(await finalDay(app.google, sites.shop))}`))
  await expectVisible(page.getByText('Pro Plan'), page.getByText('3/5 sites monitored'), page.getByText('© 2026 Ranklark'))
})

test('each card tells what its change is counted from, on hover and on focus', async () => {
  const page = await openDashboard()
  const { figures, periods } = await cardsNow(sites.shop)
  for (const metric of metrics) {
    const chip = cardOf(page, metric).getByRole('button', { name: /vs previous 7 days/ })
    await chip.hover()
    await expectText(page.getByRole('tooltip'), `${figures[metric].previous} → ${figures[metric].value}, ${periods}`)
    await page.mouse.move(0, 0)
    await expectGone(page.getByRole('tooltip'))
  }
  await cardOf(page, 'CTR')
    .getByRole('button', { name: /vs previous 7 days/ })
    .focus()
  await expectVisible(page.getByRole('tooltip'))
  await page.keyboard.press('Escape')
  await expectGone(page.getByRole('tooltip'))
})

test('the sparkline tells each of 28 days, to the mouse and to the keyboard', async () => {
  const page = await openDashboard()
  const { days } = await cardsNow(sites.shop)
  expect(days).toHaveLength(28)
  for (const metric of metrics) {
    const card = cardOf(page, metric)
    const line = card.getByRole('slider', { name: `${metric} by day` })
    const said = (day: Cards['days'][number] | undefined) => (day ? `${spoken(day.date)}: ${day.figures[metric]}` : '')

    // What else happened on the day comes after its figure (annotations.test.ts).
    const figureOf = async () => (await line.getAttribute('aria-valuetext'))?.split(';')[0]

    await line.focus()
    expect(await figureOf()).toBe(said(days.at(-1)))
    await page.keyboard.press('ArrowLeft')
    expect(await figureOf()).toBe(said(days.at(-2)))
    await page.keyboard.press('Home')
    expect(await figureOf()).toBe(said(days[0]))

    const box = await line.boundingBox()
    if (!box) throw new Error(`${metric} has no line`)
    await page.mouse.move(box.x + (box.width * 10) / 27, box.y + box.height / 2)
    await expectVisible(card.getByText(said(days[10]), { exact: true }))
  }
})

test('every chart is there as a table as well, newest day first', async () => {
  const page = await openDashboard()
  const { days } = await cardsNow(sites.shop)
  for (const metric of metrics) {
    await page.getByRole('button', { name: `Show ${metric} as table` }).click()
    const table = page.getByRole('table', { name: `${metric} by day` })
    await expectVisible(table)
    const rows = await table.getByRole('row').evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)))
    expect(rows).toEqual([['Date', metric], ...days.toReversed().map((day) => [spoken(day.date, true), day.figures[metric]])])
    await page.getByRole('button', { name: 'Close' }).click()
    await expectGone(table)
  }
})

test('another property shows its own figures, also after going back and after loading again', async () => {
  const page = await openDashboard()
  await choose(page, sites.shop, sites.blog)
  await expectToast(page, 'success', 'Property Selected', sites.blog)
  await expectCards(page, await cardsNow(sites.blog))

  await page.getByRole('link', { name: 'Profile' }).click()
  await expectVisible(page.getByRole('combobox', { name: 'Selected property' }).filter({ hasText: sites.blog }))
  await page.goBack()
  await expectCards(page, await cardsNow(sites.blog))
  await page.reload()
  await expectCards(page, await cardsNow(sites.blog))

  await choose(page, sites.blog, sites.local)
  await expectCards(page, await cardsNow(sites.local))
  await choose(page, sites.local, sites.shop)
  await expectCards(page, await cardsNow(sites.shop))
})

test('Refresh brings what Google has counted and corrected since', async () => {
  const page = await openDashboard()
  const was = await cardsNow(sites.shop)
  await expectCards(page, was)

  await app.google.setMoment('2026-03-20T21:30:00Z')
  await page.context().clock.setFixedTime(app.google.now())
  const through = await finalDay(app.google, sites.shop)
  await app.google.revise(sites.shop, before(through, 5), { factor: 3 })
  const now = await cardsNow(sites.shop)
  expect(now.figures.Clicks.value).not.toBe(was.figures.Clicks.value)

  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectCards(page, now)
  await expectGone(page.getByRole('progressbar', { name: 'Syncing' }))
  await page.reload()
  await expectVisible(page.getByText(`Last updated: Today, 21:30, complete through ${spoken(through)}`))
})

test('while a sync runs a bar says how far it is', async () => {
  const page = await openDashboard()
  await app.google.delay(400, 'query')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectVisible(page.getByRole('progressbar', { name: 'Syncing' }))
  await app.google.delay(0)
  await expectGone(page.getByRole('progressbar', { name: 'Syncing' }))
})

test('access taken away at Google: a banner says so, and connecting again mends it', async () => {
  const page = await openDashboard()
  await app.google.call('POST', 'tokens/revoke', { account: 'demo@ranklark.example' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  const banner = page.getByRole('region', { name: 'Connection' })
  await expectVisible(banner.getByText(`Google no longer accepts our access, so ${sites.shop} is not being updated.`))
  await expectCards(page, await cardsNow(sites.shop))

  await banner.getByRole('link', { name: 'Reconnect Google' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectAddress(page, '/dashboard')
  await expectToast(page, 'success', 'Connected Successfully')
  await expectGone(banner)
  await expectCards(page, await cardsNow(sites.shop))
})

test('a property that may no longer be read, and Google out of order, are said by name', async () => {
  const page = await openDashboard()
  const banner = page.getByRole('region', { name: 'Connection' })
  await app.google.fail({ error: 'forbiddenSite', kind: 'query', seconds: 60 })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectVisible(banner.getByText(`Your Google account may not read ${sites.shop} (any more).`))
  await expectVisible(banner.getByRole('link', { name: 'Open Search Console' }))

  await app.google.stopFailing()
  await app.google.fail({ error: 'loadQuota', kind: 'query', seconds: 60 })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectVisible(banner.getByText(/^Google's quota for .* Ranklark tries again: Today, 21:4/))

  await app.google.stopFailing()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expectGone(banner)
})

test('the most severe open alert has a card, until somebody has dealt with it; nothing is shown while all is quiet', async () => {
  const site = 'https://open-alerts.example/'
  const owner = await ownerOf(app, site, { days: 3, email: 'open-alerts@example.test' })
  const page = await browser.visitAs(owner, '/dashboard')
  const open = page.getByRole('region', { name: 'Open alerts' })
  const recent = page.getByRole('region', { name: 'Recent Alerts' })
  await expectVisible(recent.getByText('No alerts generated yet'))
  expect(await open.count()).toBe(0)

  const about = (name: string) => ({ entity: { kind: 'query', name } as const })
  await putAlerts(app, site, [
    { openedAt: '2026-03-18T09:00:00.000Z', severity: 'critical', ...about('desk') },
    { openedAt: '2026-03-18T10:00:00.000Z', severity: 'critical', state: 'recovered', ...about('over') },
    { openedAt: '2026-03-18T11:00:00.000Z', severity: 'warning', ...about('lamp') },
    { openedAt: '2026-03-18T12:00:00.000Z', severity: 'positive', change: 30, ...about('oak') },
  ])
  await page.reload()
  const card = open.getByRole('article')
  const expectCard = async (name: string): Promise<void> => {
    await expectVisible(open.getByRole('article', { name: `Clicks dropped: “${name}”` }))
    expect(await card.count()).toBe(1)
  }
  await expectCard('desk')
  expect(await recent.getByRole('listitem').count()).toBe(4)
  expect(await card.getByRole('link', { name: /^View in GSC/ }).getAttribute('href')).toBe(
    `https://search.google.com/search-console?resource_id=${encodeURIComponent(site)}`,
  )

  await card.getByRole('button', { name: /^Acknowledge/ }).click()
  await expectCard('lamp')
  await card.getByRole('link', { name: 'View full report' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/alerts\/\d+$/)
})
