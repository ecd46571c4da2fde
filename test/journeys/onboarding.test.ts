import type { Page } from 'playwright-core'
import { createSubscriptionAnswer } from '../../src/contract/billing.ts'
import type { Visitor } from '../support/app.ts'
import { expectAddress, expectCount, expectDisabled, expectToast, expectVisible } from '../support/browser-expect.ts'
import { hold } from '../support/browser-hold.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { registered } from '../support/people.ts'
import { cards } from '../support/stripe-control.ts'

const test = journeyTest({ figures: false })

const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('ranklark-purchase-flow'))
const payButton = (page: Page, price: string) => page.getByRole('button', { name: `Pay ${price}/month`, exact: true })

async function continueToPayment(page: Page, plan: string): Promise<void> {
  await page.getByRole('article', { name: plan, exact: true }).getByRole('button', { name: 'Select Plan' }).click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Complete Your Payment', exact: true }))
}

/** Types a card into Stripe's form and presses Pay. */
async function payWith(page: Page, card: string): Promise<void> {
  const form = page.frameLocator('iframe[title="Secure payment input frame"]')
  await form.getByLabel('Card number').fill(card)
  await form.getByLabel('Expiration date').fill('12 / 34')
  await form.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: /^Pay / }).click()
}

const answerBank = (page: Page, answer: 'Complete' | 'Fail') =>
  page.frameLocator('iframe[title="Authentication by your bank"]').getByRole('button', { name: answer }).click()

test('register, pay, connect Google, choose 5 of 7 sites, and see the dashboard', async ({ app, visit }) => {
  const names = Array.from({ length: 7 }, (_, index) => `https://site-${index + 1}.example/`)
  await app.google.account('petra@example.test', Object.fromEntries(names.map((name) => [name, 'empty' as const])))
  const page = await visit('/login?tab=register')
  for (const [label, value] of Object.entries({
    Username: 'petra',
    Email: 'petra@example.test',
    Password: 'a-good-password',
    'Confirm password': 'a-good-password',
  }))
    await page.getByRole('textbox', { name: label, exact: true }).fill(value)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectAddress(page, '/onboarding/plan')

  await continueToPayment(page, 'Pro')
  const summary = page.getByRole('region', { name: 'Order Summary' })
  await expectVisible(
    summary.getByText('Pro Plan', { exact: true }),
    summary.getByText('Total', { exact: true }),
    summary.getByText('Priority support', { exact: true }),
    page.getByText('Your payment information is secure and encrypted', { exact: true }),
    page.getByText('By proceeding, you agree to our Terms of Service and Privacy Policy. You can cancel your subscription at any time.', {
      exact: true,
    }),
    page.locator('button:enabled', { hasText: 'Pay $9/month' }),
  )
  await expectCount(summary.getByText('$9/month', { exact: true }), 2)
  const activation = await hold(page, '**/api/subscription**')
  await payWith(page, cards.good)
  await expectVisible(
    page.getByRole('button', { name: 'Processing...', exact: true }).or(page.getByText('Activating your Pro plan...', { exact: true })),
  )
  activation.release()
  await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
  await expectAddress(page, '/onboarding/sites')

  await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
  await page.getByRole('radio', { name: 'petra@example.test' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'success', 'Connected Successfully')
  await expectAddress(page, '/onboarding/sites')
  await expectVisible(page.getByText('Choose up to 5 site(s) from your Google Search Console properties', { exact: true }))
  for (const name of names.slice(1, 6)) await page.getByRole('checkbox', { name }).check()
  await expectVisible(page.getByText('Select 5/5 sites', { exact: true }))
  const seventh = names[6] ?? ''
  await expectDisabled(page.getByRole('checkbox', { name: seventh }))
  await page.getByText(seventh).click({ force: true })
  await expectToast(page, 'error', 'Site Limit Reached', 'Your Pro plan allows up to 5 site(s).')
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(
    page.getByRole('button', { name: 'Property: https://site-2.example/' }),
    page.getByText('5/5 sites monitored'),
    page.getByText('Pro Plan'),
  )
  await expect.poll(() => kept(page)).toBeNull()
})

test(
  'whatever goes wrong with a payment is reported in the provider’s words, and retrying works immediately',
  { tags: ['full'] },
  async ({ app, visitAs, onTestFinished }) => {
    onTestFinished(async () => void (await app.stripe.stopFailing()))
    const page = await visitAs(await registered(app, 'derek'), '/onboarding/plan')
    await app.stripe.fail({ status: 500, times: 200 })
    await continueToPayment(page, 'Pro')
    await expectToast(page, 'error', 'Error', 'Failed to create subscription. Please try again.')
    await app.stripe.stopFailing()
    await page.getByRole('button', { name: 'Try again' }).click()

    // An incomplete card isn't sent. Not with the mouse: the form above gets its height a moment after it is ready.
    await page.locator('button:enabled', { hasText: 'Pay $9/month' }).press('Enter')
    await expectToast(page, 'error', 'Payment Failed', 'Your card number is incomplete.')

    await payWith(page, cards.declined)
    await expectToast(page, 'error', 'Payment Failed', 'Your card was declined.')
    expect(await kept(page)).toContain('"paymentStatus":"failed"')
    await page.goto('/onboarding/sites')
    await expectAddress(page, '/onboarding/plan')
    await page.getByRole('button', { name: 'Continue to Payment' }).click()

    // Something else on the page has broken what Stripe's script needs.
    await expectVisible(payButton(page, '$9'))
    await page.evaluate(() => Object.assign(globalThis, { whole: URLSearchParams, URLSearchParams: null }))
    await payWith(page, cards.good)
    await expectToast(page, 'error', 'Payment Failed', 'There was an issue processing your payment. Please try again.')
    await page.evaluate(() => Object.assign(globalThis, { URLSearchParams: Reflect.get(globalThis, 'whole') }))

    // The bank asks.
    await payWith(page, cards.asksEachTime)
    await answerBank(page, 'Fail')
    await expectToast(page, 'error', 'Payment Failed', /authenticate/)
    await payWith(page, cards.asksEachTime)
    await expectVisible(page.getByRole('button', { name: 'Processing...' }))
    await answerBank(page, 'Complete')
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    expect((await app.stripe.subscriptionsOf('derek@example.test')).map(({ status }) => status)).toEqual(['active'])
  },
)

test(
  'an abandoned payment continues after a reload, later, with another plan and in another tab, and is made once',
  { tags: ['full'] },
  async ({ app, visitAs }) => {
    const person = await registered(app, 'abel')
    const page = await visitAs(person, '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(payButton(page, '$9'))
    await page.reload()
    await expectVisible(payButton(page, '$9'))

    // Another browser, another day; and a second tab there.
    const later = await visitAs(person, '/onboarding/plan')
    await continueToPayment(later, 'Agency')
    await expectVisible(payButton(later, '$29'))
    const tab = await visitAs(person, '/onboarding/plan')
    // The latest choice is preselected there.
    await expectVisible(tab.getByRole('article', { name: 'Agency', exact: true }).getByRole('button', { name: 'Selected' }))
    await tab.getByRole('button', { name: 'Continue to Payment' }).click()
    await payWith(tab, cards.good)
    await expectToast(tab, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
    await expectAddress(tab, '/onboarding/sites')
    // Pressing Pay in the other one as well finds it paid.
    await payWith(later, cards.good)
    await expectAddress(later, '/onboarding/sites')
    const standing = (await app.stripe.subscriptionsOf('abel@example.test')).map(({ status }) => status)
    expect(standing.filter((status) => status === 'active')).toHaveLength(1)

    // The first window still shows the form of an abandoned plan, and can't pay for it.
    await page.reload()
    await expectAddress(page, '/settings?change=pro')
  },
)

test(
  'back from a bank’s own page: a failed payment can be repeated, and a completed one waits for the server’s confirmation',
  { tags: ['full'] },
  async ({ app, visitAs, onTestFinished }) => {
    onTestFinished(async () => {
      await app.stripe.stopFailing()
      await app.stripe.release()
    })
    const person = await registered(app, 'rita')
    const page = await visitAs(person, '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(payButton(page, '$9'))
    const secret = await secretOf(person)
    const back = (status: string) =>
      page.goto(`/onboarding/sites?payment_intent=pi_1&payment_intent_client_secret=${secret}&redirect_status=${status}`)
    await app.stripe.pay(secret, cards.asksEachTime, 'fail')
    await back('failed')
    await expectToast(page, 'error', 'Payment Failed', /authenticate/)
    await expectAddress(page, '/onboarding/payment')
    await expectVisible(page.locator('button:enabled', { hasText: 'Pay $9/month' }))

    // Paid, but Stripe then doesn't answer the server's requests.
    await app.stripe.hold()
    await app.stripe.fail({ status: 500, times: 200, match: 'GET /v1/subscriptions' })
    await payWith(page, cards.good)
    await expectVisible(page.getByRole('heading', { name: 'Payment received, activating your plan' }))
    await app.stripe.stopFailing()
    await app.stripe.release()
    await back('succeeded')
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByText('Choose up to 5 site(s) from your Google Search Console properties'))
  },
)

/** What the payment form was given: requesting it again returns the same. */
async function secretOf(person: Visitor): Promise<string> {
  const answer = createSubscriptionAnswer.parse((await person.send('POST', '/api/create-subscription', { planType: 'pro' })).body)
  if (!('clientSecret' in answer)) throw new Error('There is nothing to pay')
  return answer.clientSecret
}
