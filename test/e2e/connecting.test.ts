import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sites, type TestApp } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { cardsAtGoogle, expectCards, finalDay } from '../support/browser-cards.ts'
import { expectAddress, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { daysOfFile, englishExport } from '../support/browser-files.ts'
import { newPerson, select, shortenHistory } from '../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

/** On Google's page: chooses the account and agrees. */
async function agree(page: Page, account: string): Promise<void> {
  await page.getByRole('radio', { name: account }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('demo disconnects, comes back through Google’s consent page, and has the figures again', async () => {
  const page = await browser.visitAs(await app.demo(), '/account')
  await expectVisible(page.getByText('Connected', { exact: true }))
  await page.getByRole('button', { name: 'Disconnect' }).click()
  const question = page.getByRole('alertdialog', { name: 'Disconnect Google Search Console?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expectGone(question)
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await question.getByRole('button', { name: 'Disconnect Search Console' }).click()
  await expectToast(page, 'success', 'Disconnected')
  await expectVisible(page.getByText('Not connected'), page.getByText('No property selected').first())

  // Without a connection the dashboard says what is missing.
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expectVisible(
    page.getByRole('heading', { name: 'No Search Console data available', exact: true }),
    page.getByText('Please select a property and ensure you have access to Search Console data', { exact: true }),
    page.getByRole('button', { name: 'Connect Search Console' }),
  )
  await page.goto('/account')

  // Changed their mind on Google's page.
  await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expectToast(page, 'error', 'Connection Failed', 'There was an issue connecting to Google Search Console. Please try again.')
  await expectAddress(page, '/account')
  await expectVisible(page.getByText('Not connected'))

  // Left out the one permission that is needed.
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
  expect((await page.getByRole('option').allInnerTexts()).toSorted()).toEqual(Object.values(sites).toSorted())
  await page.getByRole('option', { name: sites.shop }).click()
  await expectToast(page, 'success', 'Property Selected', sites.shop)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expectCards(page, await cardsAtGoogle(app.google, sites.shop, await finalDay(app.google, sites.shop)))
})

test('a newcomer signs in with Google, chooses a site within the limit and sees its figures arrive', async () => {
  await app.google.account('nora@example.test', { 'https://one.example/': 'local', 'sc-domain:two.example': 'empty' })
  const page = await browser.visit('/login')
  await page.getByRole('button', { name: 'Connect with Google Search Console' }).click()
  await agree(page, 'nora@example.test')
  await expectToast(page, 'success', 'Connected Successfully')
  await expectAddress(page, '/onboarding/plan')
  await page.getByRole('article', { name: 'Free' }).getByRole('button', { name: 'Select Plan' }).click()
  await page.getByRole('button', { name: 'Continue to Setup' }).click()
  await expectAddress(page, '/onboarding/sites')
  await expectVisible(
    page.getByRole('heading', { name: 'Select Sites to Monitor', exact: true }),
    page.getByText('Choose up to 1 site(s) from your Google Search Console properties', { exact: true }),
    page.getByText('Select 0/1 sites', { exact: true }),
  )
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectToast(page, 'error', 'No Sites Selected', 'Please select at least one site to monitor.')

  await page.getByRole('checkbox', { name: 'sc-domain:two.example' }).check()
  await expectVisible(page.getByText('Select 1/1 sites', { exact: true }))
  const other = page.getByRole('checkbox', { name: 'https://one.example/' })
  expect(await other.isDisabled()).toBe(true)
  await page.getByText('https://one.example/').click({ force: true })
  await expectToast(page, 'error', 'Site Limit Reached', 'Your Free plan allows up to 1 site(s).')

  await page.getByRole('checkbox', { name: 'sc-domain:two.example' }).uncheck()
  await other.check()
  await shortenHistory(app, 'https://one.example/', 32)
  await app.google.delay(500, 'query')
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: 'Property: https://one.example/' }), page.getByText('1/1 sites monitored'))
  await expectVisible(
    page.getByText('Fetching the first days from Google; figures appear as they come in'),
    page.getByRole('progressbar', { name: 'Syncing' }),
  )
  await app.google.delay(0)
  await expectCards(page, await cardsAtGoogle(app.google, 'https://one.example/', await finalDay(app.google, 'https://one.example/')))
})

test('a property for which Google has nothing is empty, not broken', async () => {
  const owner = await newPerson(app, { email: 'empty@example.test', sites: { 'sc-domain:quiet.example': 'empty' } })
  await shortenHistory(app, 'sc-domain:quiet.example', 7)
  await select(owner, 'sc-domain:quiet.example')
  const page = await browser.visitAs(owner, '/dashboard')
  await expectVisible(page.getByRole('heading', { name: 'No Search Console data available' }))
})

test('a Google account without properties is told where to add one', async () => {
  const page = await browser.visitAs(await newPerson(app, { email: 'bare@example.test' }), '/onboarding/sites')
  await expectVisible(page.getByRole('heading', { name: 'No Properties Found' }))
  const link = page.getByRole('link', { name: 'Open Google Search Console' })
  expect([await link.getAttribute('target'), await link.getAttribute('href')]).toEqual([
    '_blank',
    'https://search.google.com/search-console',
  ])

  await app.google.call('POST', 'sites', { account: 'bare@example.test', site: 'https://new.example/' })
  await page.getByRole('button', { name: 'Look again' }).click()
  await expectVisible(page.getByRole('checkbox', { name: 'https://new.example/' }))
})

test('when Google does not list the properties, one can be named by hand or the connection renewed', async () => {
  const owner = await newPerson(app, { email: 'dora@example.test', sites: { 'https://dora.example/': 'empty' } })
  await app.google.fail({ error: 'internal500', kind: 'sites', seconds: 60 })
  const page = await browser.visitAs(owner, '/onboarding/sites')
  await expectVisible(
    page.getByRole('heading', { name: 'Unable to Load Properties', exact: true }),
    page.getByText('There was an issue accessing your Google Search Console data.', { exact: true }),
  )
  await app.google.stopFailing()

  await page.getByRole('button', { name: 'Use this site' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Unable to Load Properties' }))
  const address = page.getByRole('textbox', { name: "Or enter the site's address" })
  await address.fill('https://someone-else.example/')
  await address.press('Enter')
  await expectToast(page, 'error', 'Error', /^Your Google account has no property https:\/\/someone-else\.example\/\./)
  // What is wrong also stays at the field, and names the form that works.
  await address.fill('https://www.dora.example/')
  await address.press('Enter')
  await expectVisible(
    page.getByRole('textbox', {
      name: "Or enter the site's address",
      description: 'Google has this site as https://dora.example/. Please enter it in that form.',
    }),
  )
  // No word from the server at all.
  await page.route('**/api/gsc-properties/monitor', (route) => route.fulfill({ status: 502, body: '' }), { times: 1 })
  await address.fill('https://dora.example/')
  await address.press('Enter')
  await expectToast(page, 'error', 'Error', 'Failed to save property selection')
  await address.press('Enter')
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: 'Property: https://dora.example/' }))

  await app.google.call('POST', 'tokens/revoke', { account: 'dora@example.test' })
  await page.goto('/onboarding/sites')
  await page.getByRole('button', { name: 'Reconnect Google Search Console' }).click()
  await agree(page, 'dora@example.test')
  await expectAddress(page, '/onboarding/sites')
  await expectToast(page, 'success', 'Connected Successfully')
  await expectVisible(page.getByRole('checkbox', { name: 'https://dora.example/' }))
})

test('without a connection the site screen offers both ways in', async () => {
  const owner = await newPerson(app, { email: 'otto@example.test' })
  await owner.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  const page = await browser.visitAs(owner, '/onboarding/sites')
  await expectVisible(
    page.getByRole('button', { name: 'Connect Google Search Console' }),
    page.getByRole('heading', { name: 'Or import a file' }),
  )
  await page
    .getByLabel('Export file')
    .setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: englishExport(daysOfFile('2026-03-14', 5)) })
  await page.getByRole('textbox', { name: 'Property name' }).fill('otto.example')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expectVisible(page.getByText('Imported into otto.example'))
  await page.getByRole('button', { name: 'Show on the dashboard' }).click()
  await expectVisible(page.getByRole('region', { name: 'Clicks' }))
})

test('figures that cannot be had are an error with what to do, not a blank', async () => {
  const site = 'https://gone.example/'
  const owner = await newPerson(app, { email: 'gina@example.test', sites: { [site]: 'empty' } })
  await shortenHistory(app, site, 7)
  await select(owner, site)
  const page = await browser.visitAs(owner, '/account')
  await expectVisible(page.getByRole('combobox', { name: 'Selected property' }))
  // In another window the connection is given up, and with it the property.
  await owner.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  const problem = page
    .getByRole('alert')
    .filter({ has: page.getByRole('heading', { name: 'Unable to load Search Console data', exact: true }) })
  await expectVisible(
    problem.getByText('Please authenticate with Google Search Console to view metrics', { exact: true }),
    problem.getByText(`${site}: `),
  )
  await expectVisible(problem.getByRole('button', { name: 'Try again' }))
})
