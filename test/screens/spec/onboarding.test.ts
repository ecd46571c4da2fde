// SPEC §2, "Onboarding screens", with §4 (guards, transitions), §5 and §8. See also: ../onboarding, ../connecting; with a card:
// ../../journeys/onboarding.
import type { Page } from 'playwright-core'
import { newcomerOf, registeredOf } from '../../support/answers/shell.ts'
import { setUp, unmonitored } from '../../support/answers/onboarding.ts'
import {
  expectAddress,
  expectAttribute,
  expectCount,
  expectDisabled,
  expectEnabled,
  expectText,
  expectToast,
  expectVisible,
} from '../../support/browser-expect.ts'
import { describe, expect, test } from '../../support/screen-test.ts'
import { shownProperty } from '../../support/shown-property.ts'

const plan = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const steps = (page: Page) => page.getByRole('list', { name: 'Setup' }).getByRole('listitem')

/** The stepper's current step. */
const expectStep = (page: Page, name: string) => expectText(steps(page).and(page.locator('[aria-current=step]')), new RegExp(`${name}$`))

describe('plan', () => {
  test('a stepper, three plans, "Most Popular" on Pro; the next button is named after the next step', async ({ signIn, open }) => {
    signIn(null)
    const page = await open('/onboarding/plan')
    await expectVisible(title(page, 'Choose Your Plan'), plan(page, 'Pro'))
    expect((await steps(page).allInnerTexts()).map((text) => text.replaceAll(/[\d\s]+/g, ' ').trim())).toEqual([
      'Choose Plan',
      'Payment',
      'Select Sites',
    ])
    await expectStep(page, 'Choose Plan')
    await expectVisible(plan(page, 'Pro').getByText('Most Popular', { exact: true }))
    expect([await page.getByText('Most Popular').count(), await page.getByRole('article').count()]).toEqual([1, 3])
    await expectDisabled(button(page, 'Continue to Payment'))
    for (const [name, goOn] of [
      ['Free', 'Continue to Setup'],
      ['Pro', 'Continue to Payment'],
      ['Agency', 'Continue to Payment'],
    ] as const) {
      await plan(page, name).getByRole('button', { name: 'Select Plan', exact: true }).click()
      await expectVisible(plan(page, name).getByRole('button', { name: 'Selected', exact: true }))
      await expectEnabled(button(page, goOn))
      await expectCount(button(page, 'Selected'), 1)
    }
  })
})

describe('payment', () => {
  async function toPayment(page: Page, name: string): Promise<void> {
    await plan(page, name).getByRole('button', { name: 'Select Plan', exact: true }).click()
    await page.getByRole('button', { name: /^Continue to / }).click()
  }

  test('an order summary with plan, price per month, total and features; "Setting up payment..." until the form is there', async ({
    desk,
    open,
  }) => {
    setUp(desk, registeredOf())
    desk.hold('POST /api/create-subscription')
    const page = await open('/onboarding/plan')
    await toPayment(page, 'Agency')
    await expectVisible(title(page, 'Complete Your Payment'), page.getByText('Setting up payment...', { exact: true }))
    await expectStep(page, 'Payment')
    const summary = page.getByRole('region', { name: 'Order Summary', exact: true })
    await expectVisible(summary.getByText('Agency Plan', { exact: true }), summary.getByText('Total', { exact: true }))
    await expectCount(summary.getByText('$29/month', { exact: true }), 2)
    expect((await summary.getByRole('listitem').allInnerTexts()).map((text) => text.trim())).toContain('White-label reports')
  })

  test('Free costs nothing: "Plan Selected", and on to the sites', async ({ desk, open }) => {
    const change = setUp(desk, registeredOf())
    desk.answer('POST /api/create-subscription', () => {
      change({ planChosen: true })
      return { success: true }
    })
    const page = await open('/onboarding/plan')
    await toPayment(page, 'Free')
    await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    await expectStep(page, 'Select Sites')
    await expect.poll(() => desk.asked('POST /api/create-subscription').map(({ body }) => body)).toEqual([{ planType: 'free' }])
    // Without an access token, a card to connect replaces the list.
    await expectVisible(button(page, 'Connect Google Search Console'))
    await expectCount(page.getByRole('checkbox'), 0)
    expect(desk.asked('GET /api/gsc-properties')).toEqual([])
  })

  test.for([
    ['Free', 'Failed to activate free plan. Please try again.'],
    ['Pro', 'Failed to create subscription. Please try again.'],
  ] as const)('%s that can\'t be loaded: "%s"', async ([name, message], { desk, open }) => {
    setUp(desk, registeredOf())
    desk.say('POST /api/create-subscription', '', { status: 500 })
    const page = await open('/onboarding/plan')
    await toPayment(page, name)
    await expectToast(page, 'error', 'Error', message)
  })
})

describe('sites', () => {
  test('"Loading your website properties...", then checkboxes under "Select x/N sites" up to the plan\'s limit', async ({ desk, open }) => {
    const names = Array.from({ length: 6 }, (_, index) => `https://site-${index + 1}.example/`)
    setUp(desk, newcomerOf({ plan: 'pro', siteLimit: 5, gscProperties: unmonitored(...names) }))
    const list = desk.hold('GET /api/gsc-properties')
    const page = await open('/onboarding/sites')
    await expectVisible(
      title(page, 'Select Sites to Monitor'),
      page.getByText('Choose up to 5 site(s) from your Google Search Console properties', { exact: true }),
      page.getByText('Loading your website properties...', { exact: true }),
    )
    list.release()
    await expectVisible(page.getByText('Select 0/5 sites', { exact: true }))
    await expectCount(page.getByRole('checkbox'), 6)
    await button(page, 'Complete Setup').click()
    await expectToast(page, 'error', 'No Sites Selected', 'Please select at least one site to monitor.')
    for (const name of names.slice(0, 5)) await page.getByRole('checkbox', { name }).check()
    await expectVisible(page.getByText('Select 5/5 sites', { exact: true }))
    await expectDisabled(page.getByRole('checkbox', { name: names[5] ?? '' }))
    await page.getByText(names[5] ?? '').click({ force: true })
    await expectToast(page, 'error', 'Site Limit Reached', 'Your Pro plan allows up to 5 site(s).')

    const saving = desk.hold('POST /api/gsc-properties/monitor')
    await button(page, 'Complete Setup').click()
    await expectVisible(button(page, 'Completing Setup...'))
    await expect.poll(() => desk.asked('POST /api/gsc-properties/monitor').map(({ body }) => body)).toEqual([{ sites: names.slice(0, 5) }])
    saving.release()
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('button', { name: `Property: ${shownProperty(names[0]!)}` }))
  })

  test('"Unable to Load Properties": reconnect, or type a site\'s address', async ({ desk, open }) => {
    setUp(desk, newcomerOf())
    desk.say('GET /api/gsc-properties', '', { status: 502 })
    const page = await open('/onboarding/sites')
    await expectVisible(
      page.getByRole('heading', { name: 'Unable to Load Properties', exact: true }),
      page.getByText('There was an issue accessing your Google Search Console data.', { exact: true }),
      button(page, 'Reconnect Google Search Console'),
    )
    const typed = page.getByPlaceholder('https://www.example.com/')
    await expectAttribute(typed, 'type', 'url')
    // An empty field sends no request.
    await typed.press('Enter')
    await expectAddress(page, '/onboarding/sites')
    desk.say('POST /api/gsc-properties/monitor', '', { status: 500 })
    await typed.fill('https://una.example/')
    await typed.press('Enter')
    await expectToast(page, 'error', 'Error', 'Failed to save property selection')
    await expect
      .poll(() => desk.asked('POST /api/gsc-properties/monitor').map(({ body }) => body))
      .toEqual([{ sites: ['https://una.example/'] }])
    // Only then can it be tried again.
    await expectVisible(button(page, 'Use this site'))
    setUp(desk, newcomerOf())
    await typed.press('Enter')
    await expectAddress(page, '/dashboard')
  })

  test('"No Properties Found": the search console opens in a new tab', async ({ desk, open }) => {
    setUp(desk, newcomerOf())
    const page = await open('/onboarding/sites')
    await expectVisible(page.getByRole('heading', { name: 'No Properties Found', exact: true }))
    const link = page.getByRole('link', { name: 'Open Google Search Console', exact: true })
    expect([await link.getAttribute('target'), await link.getAttribute('href')]).toEqual([
      '_blank',
      'https://search.google.com/search-console',
    ])
  })
})
