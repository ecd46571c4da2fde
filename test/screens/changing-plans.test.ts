import type { Page } from 'playwright-core'
import { plans } from '../../src/core/billing/plans.ts'
import { pays } from '../support/answers/billing.ts'
import { unpaidOf } from '../support/answers/onboarding.ts'
import { newcomerOf } from '../support/answers/shell.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { describe, expect, test as screenTest } from '../support/screen-test.ts'

const test = screenTest.extend('settings', ({ desk, open }) => (query = '') => {
  desk.answer('GET /api/audit-log', { events: [], next: null })
  return open(`/settings${query}`)
})

const planCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const isCurrent = (page: Page, name: string) => planCard(page, name).getByText('Current plan', { exact: true })
const question = (page: Page, from: string, to: string) => page.getByRole('dialog', { name: `Change from ${from} to ${to}?` })

describe('choosing a plan', () => {
  test('from Free leads to the payment for the better one', { tags: ['full'] }, async ({ desk, signIn, settings }) => {
    signIn(newcomerOf())
    desk.answer('GET /api/subscription', unpaidOf())
    desk.hold('POST /api/create-subscription')
    const page = await settings()
    await expectVisible(page.getByRole('heading', { name: 'Account Settings', level: 1 }), isCurrent(page, 'Free'))
    await expectText(planCard(page, 'Agency').getByRole('paragraph').first(), '$29 /month')
    await planCard(page, 'Pro').getByRole('button', { name: 'Upgrade to Pro' }).click()
    await expectAddress(page, '/onboarding/payment')
    await expectVisible(page.getByRole('region', { name: 'Order Summary' }).getByText('Pro Plan', { exact: true }))

    // Changed their mind: the purchase is in nobody's way.
    await page.getByRole('link', { name: 'Back to the dashboard' }).click()
    await expectAddress(page, '/dashboard')
    await page.getByRole('link', { name: 'Select a property →' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Select Sites to Monitor' }))
  })

  test(
    'an upgrade is charged immediately, minus credit for unused time, and only after confirmation',
    { tags: ['full'] },
    async ({ desk, settings }) => {
      pays(desk, 'pro', { user: { sitesMonitored: 0 } })
      const page = await settings()
      await expectVisible(isCurrent(page, 'Pro'), page.getByText('Pro, next payment $9 on 18 Apr', { exact: true }))
      await expectVisible(page.getByText('Visa ending in 4242'))
      await planCard(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency' }).click()
      await expectVisible(question(page, 'Pro', 'Agency').getByText('Due now', { exact: true }))
      await expectAddress(page, '/settings?change=agency')
      await page.keyboard.press('Escape')
      await expectGone(question(page, 'Pro', 'Agency'))
      await expectAddress(page, '/settings')
      await expectVisible(isCurrent(page, 'Pro'))
      expect(desk.asked('POST /api/subscription/change')).toEqual([])

      await planCard(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency' }).click()
      await question(page, 'Pro', 'Agency').getByRole('button', { name: 'Pay $20 and change to Agency', exact: true }).click()
      await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
      await expectGone(question(page, 'Pro', 'Agency'))
      await expectVisible(isCurrent(page, 'Agency'), page.getByText('Agency Plan'), page.getByText('0/25 sites monitored'))
    },
  )

  test('a declined card changes nothing, and another try may work', { tags: ['full'] }, async ({ desk, settings }) => {
    pays(desk, 'pro')
    desk.refuse('POST /api/subscription/change', 409, { message: 'Your card was declined.' })
    const page = await settings('?change=agency')
    const pay = question(page, 'Pro', 'Agency').getByRole('button', { name: /^Pay / })
    await pay.click()
    await expectToast(page, 'error', 'Payment Failed', 'Your card was declined.')
    await expectVisible(pay)
    pays(desk, 'pro')
    await pay.click()
    await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
  })

  test('a downgrade takes effect when the period ends, and can be undone', { tags: ['full'] }, async ({ desk, settings }) => {
    pays(desk, 'agency')
    const page = await settings()
    await planCard(page, 'Pro').getByRole('button', { name: 'Downgrade to Pro' }).click()
    const asked = question(page, 'Agency', 'Pro')
    await expectVisible(
      asked.getByText(
        "Agency is already paid for and stays active until 18 Apr. Then you'll switch to Pro at $9/month. You can undo this until then.",
      ),
      asked.getByText('No data is deleted.'),
    )
    await asked.getByRole('button', { name: 'Change to Pro' }).click()
    await expectToast(page, 'success', 'Plan Change Scheduled')
    await expectVisible(
      page.getByText('Agency until 18 Apr, then Pro', { exact: true }),
      planCard(page, 'Pro').getByText('From 18 Apr', { exact: true }),
    )
    await expectVisible(isCurrent(page, 'Agency'))

    await page.getByRole('button', { name: 'Keep Agency' }).click()
    await expectToast(page, 'success', 'Plan Kept', 'Your Agency plan continues.')
    await expectVisible(page.getByText('Agency, next payment $29 on 18 Apr', { exact: true }))
  })

  test('failed lookups and changes are reported', { tags: ['full'] }, async ({ desk, settings }) => {
    pays(desk, 'pro')
    const page = await settings()
    await expectVisible(isCurrent(page, 'Pro'))
    desk.refuse('POST /api/subscription/preview', 502)
    await planCard(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency' }).click()
    await expectVisible(question(page, 'Pro', 'Agency').getByRole('alert'))
    pays(desk, 'pro')
    await question(page, 'Pro', 'Agency').getByRole('button', { name: 'Try again' }).click()
    await expectVisible(question(page, 'Pro', 'Agency').getByText('Due now'))
    desk.refuse('POST /api/subscription/change', 502, { message: 'Stripe did not take the change.' })
    await question(page, 'Pro', 'Agency').getByRole('button', { name: /^Pay / }).click()
    await expectToast(page, 'error', 'Error', 'Stripe did not take the change.')
    await page.keyboard.press('Escape')
    await expectGone(question(page, 'Pro', 'Agency'))
    desk.refuse('POST /api/subscription/portal', 502, { message: 'Stripe has no page for now.' })
    await page.getByRole('button', { name: 'Manage card and invoices' }).click()
    await expectToast(page, 'error', 'Error', 'Stripe has no page for now.')
  })

  test('by keyboard alone', { tags: ['full'] }, async ({ desk, settings }) => {
    pays(desk, 'pro')
    const page = await settings()
    const opener = planCard(page, 'Free').getByRole('button', { name: 'Downgrade to Free' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const asked = question(page, 'Pro', 'Free')
    await expectFocused(asked.getByRole('button', { name: 'Stay on Pro' }))
    for (let stop = 0; stop < 4; stop += 1) {
      await page.keyboard.press('Tab')
      await expect.poll(() => asked.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expectGone(asked)
    await expectFocused(opener)
  })
})

test('canceling a plan names what ends with it', { tags: ['full'] }, async ({ desk, settings }) => {
  pays(desk, 'pro', { user: { sitesMonitored: 3 } })
  const page = await settings()
  await planCard(page, 'Free').getByRole('button', { name: 'Downgrade to Free' }).click()
  const asked = question(page, 'Pro', 'Free')
  await expectVisible(
    asked.getByText(
      "Pro is already paid for and stays active until 18 Apr. Then you'll switch to Free, and you won't be charged again. You can undo this until then.",
    ),
    asked.getByText('2 of your 3 sites will be paused; you choose which ones to keep.'),
  )
  await asked.getByRole('button', { name: 'Change to Free' }).click()
  await expectToast(page, 'success', 'Plan Change Scheduled')
  await expectVisible(page.getByText('Pro until 18 Apr, then Free', { exact: true }), page.getByText('3/5 sites monitored'))
})

test(
  'sites that a plan no longer covers are paused, which is shown with the way to choose',
  { tags: ['full'] },
  async ({ desk, signIn, open }) => {
    signIn({ plan: 'free', siteLimit: plans.free.siteLimit, sitesPaused: 2 })
    desk.answer('GET /api/subscription', unpaidOf())
    const page = await open('/dashboard')
    const banner = page.getByRole('region', { name: 'Paused sites' })
    await expectVisible(banner.getByText('Your Free plan includes 1 site; 2 are paused.'), page.getByText('1/1 sites monitored'))
    await banner.getByRole('link', { name: 'Choose which to keep' }).click()
    await expectAddress(page, '/onboarding/sites')
  },
)

describe('a failed renewal', { tags: ['full'] }, () => {
  test("canceled then: it ends immediately, and the failed payment isn't retried", async ({ desk, settings }) => {
    pays(desk, 'pro', { subscription: { status: 'past_due' } })
    desk.answer('POST /api/subscription/preview', { takesEffect: 'now', dueNow: 0, price: 0, at: null })
    const page = await settings()
    await planCard(page, 'Free').getByRole('button', { name: 'Downgrade to Free' }).click()
    const asked = question(page, 'Pro', 'Free')
    await expectVisible(
      asked.getByText("Free starts immediately. The failed payment won't be retried, and you won't be charged again.", { exact: true }),
    )
    const user = newcomerOf()
    desk.answer('POST /api/subscription/change', { outcome: 'changed', clientSecret: null, user, subscription: unpaidOf() })
    await asked.getByRole('button', { name: 'Change to Free' }).click()
    await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
    await expectVisible(isCurrent(page, 'Free'))
  })

  test('is shown everywhere, with the way to fix it', async ({ desk, open }) => {
    pays(desk, 'pro', { subscription: { status: 'past_due' } })
    desk.answer('GET /api/audit-log', { events: [], next: null })
    const page = await open('/dashboard')
    const banner = page.getByRole('region', { name: 'Payment' })
    await expectVisible(banner.getByText("The last payment for your Pro plan failed. We'll retry it over the next few days."))
    await banner.getByRole('link', { name: 'Check your card' }).click()
    await expectAddress(page, '/settings')
    await expectVisible(page.getByRole('alert').filter({ hasText: 'The last payment for Pro failed.' }), isCurrent(page, 'Pro'))

    // Stripe's own page.
    const portal = 'https://billing.stripe.example/session'
    await page.route(portal, (route) => route.fulfill({ body: 'Stripe' }))
    desk.answer('POST /api/subscription/portal', { url: portal })
    await page.getByRole('button', { name: 'Manage card and invoices' }).click()
    await expect.poll(() => page.url()).toBe(portal)
  })
})
