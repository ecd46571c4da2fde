import type { Page } from 'playwright-core'
import { sites, type TestApp } from '../support/app.ts'
import { cardOf, type Cards, cardsAtGoogle, expectCards, finalDay, metrics, spoken } from '../support/browser-cards.ts'
import { expectAddress, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { shownProperty } from '../support/shown-property.ts'

const test = journeyTest()

/** What the four cards must show now, by the stand-in's control API. */
const cardsNow = async ({ google }: TestApp, site: string): Promise<Cards> => cardsAtGoogle(google, site, await finalDay(google, site))

async function choose(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Property: ${shownProperty(from)}` }).click()
  await page.getByRole('menuitemradio', { name: shownProperty(to) }).click()
  await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(to)}` }))
}

/** Every chart as a table, newest day first; its line ends with the same day. */
async function expectDays(page: Page, { days }: Cards): Promise<void> {
  expect(days).toHaveLength(28)
  for (const metric of metrics) {
    const line = cardOf(page, metric).getByRole('slider', { name: `${metric} by day` })
    const last = days.at(-1)
    // Other events on the day follow its figure.
    expect((await line.getAttribute('aria-valuetext'))?.split(';')[0]).toBe(last && `${spoken(last.date)}: ${last.figures[metric]}`)
    await page.getByRole('button', { name: `Show ${metric} as table` }).click()
    const table = page.getByRole('table', { name: `${metric} by day` })
    await expectVisible(table)
    const rows = await table.getByRole('row').evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent)))
    expect(rows).toEqual([['Date', metric], ...days.toReversed().map((day) => [spoken(day.date, true), day.figures[metric]])])
    await page.getByRole('button', { name: 'Close' }).click()
    await expectGone(table)
  }
}

test("the dashboard shows Google's figures, for each property and each day", async ({ app, visit }) => {
  const page = await visit('/')
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('textbox', { name: 'Username' }).fill('demo')
  await page.getByRole('textbox', { name: 'Password' }).fill('demo-password')
  await page.getByRole('button', { name: 'Login' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(
    page.getByRole('button', { name: `Property: ${shownProperty(sites.shop)}` }),
    page.getByRole('region', { name: 'Demo' }),
  )
  const first = await cardsNow(app, sites.shop)
  await expectCards(page, first)
  await expectVisible(page.getByText(`Last updated: Today, 20:00, complete through ${spoken(await finalDay(app.google, sites.shop))}`))
  await expectVisible(page.getByText('Pro Plan'), page.getByText('3/5 sites monitored'), page.getByText('© 2026 Ranklark'))
  await expectDays(page, first)

  // Another property shows its own figures, even after going back and after a reload.
  await choose(page, sites.shop, sites.blog)
  await expectToast(page, 'success', 'Property Selected', sites.blog)
  await expectCards(page, await cardsNow(app, sites.blog))
  await page.getByRole('link', { name: 'Profile' }).click()
  await expectVisible(page.getByRole('combobox', { name: 'Selected property' }).filter({ hasText: sites.blog }))
  await page.goBack()
  await expectCards(page, await cardsNow(app, sites.blog))
  await page.reload()
  await expectCards(page, await cardsNow(app, sites.blog))
  await choose(page, sites.blog, sites.local)
  await expectCards(page, await cardsNow(app, sites.local))
  await choose(page, sites.local, sites.shop)
  await expectCards(page, first)
})
