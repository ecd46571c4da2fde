import { propertyName } from '../../src/core/accounts/property-name.ts'
import { sites } from '../support/app.ts'
import { before, cardsAtGoogle, expectCards, finalDay, spoken } from '../support/browser-cards.ts'
import { expectAddress, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'

const test = journeyTest()

test('Refresh fetches what Google has added or revised since, and reconnecting restores revoked access', async ({ app, visitAs }) => {
  const { google } = app
  const cardsNow = async () => cardsAtGoogle(google, sites.shop, await finalDay(google, sites.shop))
  const page = await visitAs(await app.demo(), '/dashboard')
  const first = await cardsNow()
  await expectCards(page, first)

  // A progress bar is shown meanwhile.
  await google.setMoment('2026-03-20T21:30:00Z')
  await page.context().clock.setFixedTime(google.now())
  const through = await finalDay(google, sites.shop)
  await google.revise(sites.shop, before(through, 5), { factor: 3 })
  const since = await cardsNow()
  expect(since.figures.Clicks.value).not.toBe(first.figures.Clicks.value)
  await google.delay(400, 'query')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const bar = page.getByRole('progressbar', { name: 'Syncing' })
  await expectVisible(bar)
  await google.delay(0)
  await expectCards(page, since)
  await expectGone(bar)
  await page.reload()
  await expectVisible(page.getByText(`Last updated: Today, 21:30, complete through ${spoken(through)}`))

  // Access was revoked at Google: a banner says so, and reconnecting fixes it.
  await google.call('POST', 'tokens/revoke', { account: 'demo@ranklark.example' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  const banner = page.getByRole('region', { name: 'Connection' })
  await expectVisible(banner.getByText(`Google access expired or was revoked, so ${propertyName(sites.shop)} isn't updating.`))
  await expectCards(page, since)
  await banner.getByRole('link', { name: 'Reconnect Google' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectAddress(page, '/dashboard')
  await expectToast(page, 'success', 'Connected Successfully')
  await expectGone(banner)
  await expectCards(page, since)
})
