import { propertyName } from '../../src/core/accounts/property-name.ts'
import type { Page } from 'playwright-core'
import { sites } from '../support/app.ts'
import { cardsAtGoogle, expectCards, finalDay } from '../support/browser-cards.ts'
import { expectAddress, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { shortenHistory } from '../support/people.ts'
import { shownProperty } from '../support/shown-property.ts'

const test = journeyTest()

/** On Google's page: chooses the account and agrees. */
async function agree(page: Page, account: string): Promise<void> {
  await page.getByRole('radio', { name: account }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('the demo account disconnects, returns through Google’s consent page, and has its figures again', async ({ app, visitAs }) => {
  const page = await visitAs(await app.demo(), '/account')
  await expectVisible(page.getByText('Connected', { exact: true }))
  await page.getByRole('button', { name: 'Disconnect' }).click()
  const question = page.getByRole('alertdialog', { name: 'Disconnect Google Search Console?' })
  await question.getByRole('button', { name: 'Disconnect Search Console' }).click()
  await expectToast(page, 'success', 'Disconnected')
  await expectVisible(page.getByText('Not connected'), page.getByText('No property selected').first())

  // Changed their mind on Google's page.
  await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectToast(page, 'error', 'Connection Failed', 'There was an issue connecting to Google Search Console. Please try again.')
  await expectAddress(page, '/account')
  await expectVisible(page.getByText('Not connected'))

  // Left out the one permission that is required.
  await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
  await page.getByRole('checkbox').uncheck()
  await agree(page, 'demo@ranklark.example')
  await expectToast(page, 'error', 'Connection Failed')
  await expectAddress(page, '/account')
  await expectVisible(page.getByText('Not connected'))

  await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
  await agree(page, 'demo@ranklark.example')
  await expectToast(page, 'success', 'Connected Successfully')
  await expectAddress(page, '/account')
  await expectVisible(page.getByText('Connected', { exact: true }))

  await page.getByRole('combobox', { name: 'Selected property' }).click()
  await expectVisible(page.getByRole('option', { name: shownProperty(sites.shop) }))
  expect((await page.getByRole('option').allInnerTexts()).toSorted()).toEqual(Object.values(sites).map(shownProperty).toSorted())
  await page.getByRole('option', { name: shownProperty(sites.shop) }).click()
  await expectToast(page, 'success', 'Property Selected', propertyName(sites.shop))
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expectCards(page, await cardsAtGoogle(app.google, sites.shop, await finalDay(app.google, sites.shop)))
})

test('a new user signs in with Google, selects a site within the limit and sees its figures arrive', async ({
  app,
  visit,
  onTestFinished,
}) => {
  onTestFinished(async () => void (await app.google.delay(0)))
  const [one, two] = ['https://one.example/', 'sc-domain:two.example']
  await app.google.account('nora@example.test', { [one]: 'local', [two]: 'empty' })
  const page = await visit('/login')
  await page.getByRole('button', { name: 'Connect with Google Search Console' }).click()
  await agree(page, 'nora@example.test')
  await expectToast(page, 'success', 'Connected Successfully')
  await expectAddress(page, '/onboarding/plan')
  await page.getByRole('article', { name: 'Free' }).getByRole('button', { name: 'Select Plan' }).click()
  await page.getByRole('button', { name: 'Continue to Setup' }).click()
  await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
  await expectAddress(page, '/onboarding/sites')
  await expectVisible(
    page.getByRole('heading', { name: 'Select Sites to Monitor', exact: true }),
    page.getByText('Choose up to 1 site(s) from your Google Search Console properties', { exact: true }),
  )
  await page.getByRole('checkbox', { name: one }).check()
  await shortenHistory(app, one, 32)
  await shortenHistory(app, two, 7)
  await app.google.delay(500, 'query')
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(one)}` }), page.getByText('1/1 sites monitored'))
  await expectVisible(
    page.getByText('Fetching your first days of data from Google. Your metrics will appear as the data arrives.'),
    page.getByRole('progressbar', { name: 'Syncing' }),
  )
  await app.google.delay(0)
  await expectCards(page, await cardsAtGoogle(app.google, one, await finalDay(app.google, one)))

  // The other one instead, for which Google has no data: it is empty, not broken.
  await page.goto('/onboarding/sites')
  await page.getByRole('checkbox', { name: one }).uncheck()
  await page.getByRole('checkbox', { name: two }).check()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(
    page.getByRole('button', { name: `Property: ${shownProperty(two)}` }),
    page.getByRole('heading', { name: 'No Search Console data available' }),
  )
})

test("a site that Google doesn't list can be entered manually, and the connection renewed", async ({ app, visit, onTestFinished }) => {
  onTestFinished(async () => void (await app.google.stopFailing()))
  const site = 'https://dora.example/'
  await app.google.account('dora@example.test', { [site]: 'empty' })
  const page = await visit('/login')
  await page.getByRole('button', { name: 'Connect with Google Search Console' }).click()
  await agree(page, 'dora@example.test')
  await page.getByRole('article', { name: 'Free' }).getByRole('button', { name: 'Select Plan' }).click()
  await app.google.fail({ error: 'internal500', kind: 'sites', seconds: 60 })
  await page.getByRole('button', { name: 'Continue to Setup' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Unable to Load Properties', exact: true }))
  await app.google.stopFailing()
  const address = page.getByRole('textbox', { name: "Or enter the site's URL" })
  await address.fill('https://someone-else.example/')
  await address.press('Enter')
  await expectToast(page, 'error', 'Error', /^Your Google account has no property https:\/\/someone-else\.example\/\./)
  // The error also stays at the field, and gives the right format.
  await address.fill('https://www.dora.example/')
  await address.press('Enter')
  await expectVisible(
    page.getByRole('textbox', {
      name: "Or enter the site's URL",
      description: 'Search Console lists this site as https://dora.example/. Please enter it that way.',
    }),
  )
  await shortenHistory(app, site, 3)
  await address.fill(site)
  await address.press('Enter')
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(site)}` }))

  await app.google.call('POST', 'tokens/revoke', { account: 'dora@example.test' })
  await page.goto('/onboarding/sites')
  await page.getByRole('button', { name: 'Reconnect Google Search Console' }).click()
  await agree(page, 'dora@example.test')
  await expectAddress(page, '/onboarding/sites')
  await expectToast(page, 'success', 'Connected Successfully')
  await expectVisible(page.getByRole('checkbox', { name: site }))
})
