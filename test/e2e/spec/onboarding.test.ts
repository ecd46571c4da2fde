// SPEC §2, "Onboarding screens", with §4 (guards, transitions), §5 and §8. The whole journeys: ../onboarding, ../connecting.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectAddress, expectText, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { hold } from '../../support/browser-hold.ts'
import { newPerson, registered } from '../../support/people.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())

const plan = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const steps = (page: Page) => page.getByRole('list', { name: 'Setup' }).getByRole('listitem')

/** Where the stepper is. */
const expectStep = (page: Page, name: string) => expectText(steps(page).and(page.locator('[aria-current=step]')), new RegExp(`${name}$`))

describe('plan', () => {
  test('a stepper, three plans, "Most Popular" on Pro; the way on is named after what follows', async () => {
    const page = await browser.visit('/onboarding/plan')
    await expectVisible(title(page, 'Choose Your Plan'))
    expect((await steps(page).allInnerTexts()).map((text) => text.replaceAll(/[\d\s]+/g, ' ').trim())).toEqual([
      'Choose Plan',
      'Payment',
      'Select Sites',
    ])
    await expectStep(page, 'Choose Plan')
    await expectVisible(plan(page, 'Pro').getByText('Most Popular', { exact: true }))
    expect([await page.getByText('Most Popular').count(), await page.getByRole('article').count()]).toEqual([1, 3])
    expect(await button(page, 'Continue to Payment').isDisabled()).toBe(true)
    for (const [name, goOn] of [
      ['Free', 'Continue to Setup'],
      ['Pro', 'Continue to Payment'],
      ['Agency', 'Continue to Payment'],
    ] as const) {
      await plan(page, name).getByRole('button', { name: 'Select Plan', exact: true }).click()
      await expectVisible(plan(page, name).getByRole('button', { name: 'Selected', exact: true }))
      expect(await button(page, goOn).isEnabled()).toBe(true)
      expect(await button(page, 'Selected').count()).toBe(1)
    }
  })
})

describe('payment', () => {
  async function toPayment(page: Page, name: string): Promise<void> {
    await plan(page, name).getByRole('button', { name: 'Select Plan', exact: true }).click()
    await page.getByRole('button', { name: /^Continue to / }).click()
  }

  test('order summary, card form, notes; "Setting up payment..." before, "Processing..." meanwhile', async () => {
    const page = await browser.visitAs(await registered(app, 'paula'), '/onboarding/plan')
    const { release } = await hold(page, '**/api/create-subscription')
    await toPayment(page, 'Agency')
    await expectVisible(title(page, 'Complete Your Payment'), page.getByText('Setting up payment...', { exact: true }))
    await expectStep(page, 'Payment')
    release()
    const summary = page.getByRole('region', { name: 'Order Summary', exact: true })
    await expectVisible(summary.getByText('Agency Plan', { exact: true }), summary.getByText('Total', { exact: true }))
    expect(await summary.getByText('$29/month', { exact: true }).count()).toBe(2)
    expect((await summary.getByRole('listitem').allInnerTexts()).map((text) => text.trim())).toContain('White-label reports')
    await expectVisible(
      page.getByText('Your payment information is secure and encrypted', { exact: true }),
      page.getByText('By proceeding, you agree to our Terms of Service and Privacy Policy. You can cancel your subscription at any time.', {
        exact: true,
      }),
      page.locator('button:enabled', { hasText: 'Pay $29/month' }),
    )
    const form = page.frameLocator('iframe[title="Secure payment input frame"]')
    await form.getByLabel('Card number').fill('4242424242424242')
    await form.getByLabel('Expiration date').fill('12 / 34')
    await form.getByLabel('Security code').fill('123')
    const activation = await hold(page, '**/api/subscription**')
    await button(page, 'Pay $29/month').click()
    await expectVisible(button(page, 'Processing...').or(page.getByText('Activating your Agency plan...')))
    activation.release()
    await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
  })

  test('Free costs nothing: "Plan Selected", and on to the sites', async () => {
    const page = await browser.visitAs(await registered(app, 'fanny'), '/onboarding/plan')
    await toPayment(page, 'Free')
    await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    await expectStep(page, 'Select Sites')
    // Without an access token a card to connect stands in the place of the list.
    await expectVisible(button(page, 'Connect Google Search Console'))
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })

  test.each([
    ['Free', 'Failed to activate free plan. Please try again.'],
    ['Pro', 'Failed to create subscription. Please try again.'],
  ])('%s that cannot be had: "%s"', async (name, message) => {
    const page = await browser.visitAs(await registered(app, `unlucky-${name.toLowerCase()}`), '/onboarding/plan')
    await page.route('**/api/create-subscription', (route) => route.fulfill({ status: 500, body: '' }))
    await toPayment(page, name)
    await expectToast(page, 'error', 'Error', message)
  })
})

describe('sites', () => {
  test('"Loading your website properties...", then boxes under "Select x/N sites" up to the plan\'s limit', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `https://site-${index + 1}.example/`)
    const person = await newPerson(app, {
      email: 'sina@example.test',
      plan: 'pro',
      sites: Object.fromEntries(names.map((name) => [name, 'empty' as const])),
    })
    const page = await browser.visitAs(person, '/login')
    const list = await hold(page, '**/api/gsc-properties')
    await page.goto('/onboarding/sites')
    await expectVisible(
      title(page, 'Select Sites to Monitor'),
      page.getByText('Choose up to 5 site(s) from your Google Search Console properties', { exact: true }),
      page.getByText('Loading your website properties...', { exact: true }),
    )
    list.release()
    await expectVisible(page.getByText('Select 0/5 sites', { exact: true }))
    expect(await page.getByRole('checkbox').count()).toBe(6)
    await button(page, 'Complete Setup').click()
    await expectToast(page, 'error', 'No Sites Selected', 'Please select at least one site to monitor.')
    for (const name of names.slice(0, 5)) await page.getByRole('checkbox', { name }).check()
    await expectVisible(page.getByText('Select 5/5 sites', { exact: true }))
    expect(await page.getByRole('checkbox', { name: names[5] ?? '' }).isDisabled()).toBe(true)
    await page.getByText(names[5] ?? '').click({ force: true })
    await expectToast(page, 'error', 'Site Limit Reached', 'Your Pro plan allows up to 5 site(s).')

    const saving = await hold(page, '**/api/gsc-properties/monitor')
    await button(page, 'Complete Setup').click()
    await expectVisible(button(page, 'Completing Setup...'))
    saving.release()
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('button', { name: `Property: ${names[0]}` }))
  })

  test('"Unable to Load Properties": connect again, or type the address of a site', async () => {
    const person = await newPerson(app, { email: 'una@example.test', sites: { 'https://una.example/': 'empty' } })
    const page = await browser.visitAs(person, '/login')
    await page.route('**/api/gsc-properties', (route) => route.fulfill({ status: 502, body: '' }))
    await page.goto('/onboarding/sites')
    await expectVisible(
      page.getByRole('heading', { name: 'Unable to Load Properties', exact: true }),
      page.getByText('There was an issue accessing your Google Search Console data.', { exact: true }),
      button(page, 'Reconnect Google Search Console'),
    )
    const typed = page.getByPlaceholder('https://www.example.com/')
    expect(await typed.getAttribute('type')).toBe('url')
    // Nothing typed is nothing asked for.
    await typed.press('Enter')
    await expectAddress(page, '/onboarding/sites')
    await page.route('**/api/gsc-properties/monitor', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    await typed.fill('https://una.example/')
    await typed.press('Enter')
    await expectToast(page, 'error', 'Error', 'Failed to save property selection')
    await typed.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test('"No Properties Found": the search console opens in a new tab', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: 'nora@example.test' }), '/onboarding/sites')
    await expectVisible(page.getByRole('heading', { name: 'No Properties Found', exact: true }))
    const link = page.getByRole('link', { name: 'Open Google Search Console', exact: true })
    expect([await link.getAttribute('target'), await link.getAttribute('href')]).toEqual([
      '_blank',
      'https://search.google.com/search-console',
    ])
  })
})
