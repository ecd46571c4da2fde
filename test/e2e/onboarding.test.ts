import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSubscriptionAnswer } from '../../src/contract/billing.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectToast, expectVisible } from '../support/browser-expect.ts'
import { registered } from '../support/people.ts'
import { cards } from '../support/stripe-control.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())
afterEach(() => app.stripe.stopFailing())

const planCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

async function choose(page: Page, plan: string): Promise<void> {
  await planCard(page, plan).getByRole('button', { name: 'Select Plan' }).click()
}

const kept = (page: Page) => page.evaluate(() => sessionStorage.getItem('ranklark-purchase-flow'))

describe('choosing a plan', () => {
  test('visitors see what each plan costs and covers', async () => {
    const page = await browser.visit('/onboarding/plan')
    await expectVisible(page.getByRole('heading', { name: 'Choose Your Plan', exact: true }))
    const steps = page.getByRole('list', { name: 'Setup' }).getByRole('listitem')
    expect((await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').replace(/^\d /, ''))).toEqual([
      'Choose Plan',
      'Payment',
      'Select Sites',
    ])
    for (const [name, price] of [
      ['Free', '$0/month'],
      ['Pro', '$9/month'],
      ['Agency', '$29/month'],
    ] as const) {
      const text = (await planCard(page, name).innerText()).replaceAll(/\s+/g, '')
      expect(text).toContain(price)
    }
    await expectVisible(planCard(page, 'Pro').getByText('Most Popular', { exact: true }))
    expect(await page.getByText('Most Popular').count()).toBe(1)

    // The way on is open once a plan is chosen, and named after what follows.
    expect(await page.getByRole('button', { name: 'Continue to Payment' }).isDisabled()).toBe(true)
    await choose(page, 'Free')
    await expectVisible(
      planCard(page, 'Free').getByRole('button', { name: 'Selected' }),
      page.getByRole('button', { name: 'Continue to Setup' }),
    )
    await choose(page, 'Agency')
    await expectVisible(page.getByRole('button', { name: 'Continue to Payment' }))
    expect(await page.getByRole('button', { name: 'Selected' }).count()).toBe(1)
    await page.reload()
    await expectVisible(planCard(page, 'Agency').getByRole('button', { name: 'Selected' }))

    // Payment asks for somebody who is signed in, and is where they come back to.
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expectAddress(page, '/login')
    await registered(app, 'vera')
    await page.getByRole('textbox', { name: 'Username' }).fill('vera')
    await page.getByRole('textbox', { name: 'Password' }).fill('a-good-password')
    await page.getByRole('button', { name: 'Login' }).click()
    await expectAddress(page, '/onboarding/payment')
  })

  test('nobody comes to a step before its time', async () => {
    const person = await registered(app, 'gregor')
    const page = await browser.visitAs(person, '/onboarding/payment')
    await expectAddress(page, '/onboarding/plan')
    await page.goto('/onboarding/sites')
    await expectAddress(page, '/onboarding/plan')
    await choose(page, 'Pro')
    await page.goto('/onboarding/sites')
    await expectAddress(page, '/onboarding/plan')
    await page.evaluate(() => sessionStorage.setItem('ranklark-purchase-flow', '{"selectedPlan":"gold"}'))
    await page.goto('/onboarding/payment')
    await expectAddress(page, '/onboarding/plan')

    const visitor = await browser.visit('/onboarding/sites')
    await expectAddress(visitor, '/onboarding/plan')
    await visitor.goto('/onboarding/payment')
    await expectAddress(visitor, '/onboarding/plan')
    // Back from a bank's own page after the session has ended.
    await visitor.goto('/onboarding/sites?payment_intent=pi_1&redirect_status=succeeded')
    await expectAddress(visitor, '/login')
  })

  test('with the keyboard alone', async () => {
    const page = await browser.visit('/onboarding/plan')
    const select = planCard(page, 'Free').getByRole('button')
    await select.focus()
    await page.keyboard.press('Enter')
    await expectVisible(planCard(page, 'Free').getByRole('button', { name: 'Selected' }))
    for (const name of ['Select Plan', 'Select Plan', 'Continue to Setup']) {
      await page.keyboard.press('Tab')
      await expectFocused(page.locator(':focus').and(page.getByRole('button', { name })))
    }
    await page.keyboard.press('Enter')
    await expectAddress(page, '/login')
  })
})

describe('Free', () => {
  test('register, choose Free, connect Google, choose the one site that it covers', async () => {
    await app.google.account('frieda@example.test', { 'https://one.example/': 'empty', 'https://two.example/': 'empty' })
    const page = await browser.visitAs(await registered(app, 'frieda'), '/onboarding/plan')
    await choose(page, 'Free')
    await page.getByRole('button', { name: 'Continue to Setup' }).click()
    await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    expect(await kept(page)).toContain('"paymentStatus":"success"')

    await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
    await page.getByRole('radio', { name: 'frieda@example.test' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectToast(page, 'success', 'Connected Successfully')
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByText('Choose up to 1 site(s) from your Google Search Console properties', { exact: true }))
    await page.getByRole('checkbox', { name: 'https://two.example/' }).check()
    // What is ticked outlives a reload.
    await page.reload()
    expect(await page.getByRole('checkbox', { name: 'https://two.example/' }).isChecked()).toBe(true)
    await page.getByText('https://one.example/').click({ force: true })
    await expectToast(page, 'error', 'Site Limit Reached', 'Your Free plan allows up to 1 site(s).')
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('button', { name: 'Property: https://two.example/' }), page.getByText('1/1 sites monitored'))
    await expect.poll(() => kept(page)).toBeNull()

    // The setup is over; the screen is still there for whoever has been through it.
    await page.goto('/onboarding/sites')
    await expectVisible(page.getByRole('checkbox', { name: 'https://one.example/' }))
    expect(await page.getByRole('list', { name: 'Setup' }).count()).toBe(0)
  })

  test('that cannot be activated says so, and can be tried again', async () => {
    const person = await registered(app, 'fritz')
    const page = await browser.visitAs(person, '/onboarding/plan')
    await choose(page, 'Free')
    // The database refuses to note it.
    const { sql } = await app.stores()
    await sql('ALTER TABLE people ADD CONSTRAINT out_of_order CHECK (plan_chosen_at IS NULL) NOT VALID')
    await page.getByRole('button', { name: 'Continue to Setup' }).click()
    await expectToast(page, 'error', 'Error', 'Failed to activate free plan. Please try again.')
    expect(await kept(page)).toContain('"paymentStatus":"failed"')
    await sql('ALTER TABLE people DROP CONSTRAINT out_of_order')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
  })
})

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

async function continueToPayment(page: Page, plan: string): Promise<void> {
  await choose(page, plan)
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Complete Your Payment', exact: true }))
}

describe('Pro', () => {
  test('register, pay, connect Google, choose 5 of 7 sites, and see the dashboard', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `https://site-${index + 1}.example/`)
    await app.google.account('petra@example.test', Object.fromEntries(names.map((name) => [name, 'empty' as const])))
    const page = await browser.visitAs(await registered(app, 'petra'), '/onboarding/plan')
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
      page.getByRole('button', { name: 'Pay $9/month', exact: true }),
    )
    expect(await summary.getByText('$9/month', { exact: true }).count()).toBe(2)
    await payWith(page, cards.good)
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')

    await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
    await page.getByRole('radio', { name: 'petra@example.test' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByText('Choose up to 5 site(s) from your Google Search Console properties', { exact: true }))
    for (const name of names.slice(1, 6)) await page.getByRole('checkbox', { name }).check()
    await expectVisible(page.getByText('Select 5/5 sites', { exact: true }))
    const sixth = page.getByRole('checkbox', { name: names[6] ?? '' })
    expect(await sixth.isDisabled()).toBe(true)
    await page.getByText(names[6] ?? '').click({ force: true })
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

  test('a declined card is said in the provider’s words, and another one works at once', async () => {
    const page = await browser.visitAs(await registered(app, 'derek'), '/onboarding/plan')
    await continueToPayment(page, 'Agency')
    await payWith(page, cards.declined)
    await expectToast(page, 'error', 'Payment Failed', 'Your card was declined.')
    expect(await kept(page)).toContain('"paymentStatus":"failed"')
    await page.goto('/onboarding/sites')
    await expectAddress(page, '/onboarding/plan')
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await payWith(page, cards.declined)
    await expectToast(page, 'error', 'Payment Failed', 'Your card was declined.')
    await payWith(page, cards.good)
    await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    expect((await app.stripe.subscriptionsOf('derek@example.test')).map(({ status }) => status)).toEqual(['active'])
  })

  test('the bank asks: a refusal can be followed by another try', async () => {
    const page = await browser.visitAs(await registered(app, 'bianca'), '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await payWith(page, cards.asksEachTime)
    await answerBank(page, 'Fail')
    await expectToast(page, 'error', 'Payment Failed', /authenticate/)
    await payWith(page, cards.asksEachTime)
    await expectVisible(page.getByRole('button', { name: 'Processing...' }))
    await answerBank(page, 'Complete')
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
  })

  test('whatever else goes wrong is an issue that another try may mend', async () => {
    const page = await browser.visitAs(await registered(app, 'xaver'), '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))
    // Something else on the page has broken what Stripe's script needs.
    await page.evaluate(() => Object.assign(globalThis, { whole: URLSearchParams, URLSearchParams: null }))
    await payWith(page, cards.good)
    await expectToast(page, 'error', 'Payment Failed', 'There was an issue processing your payment. Please try again.')
    await page.evaluate(() => Object.assign(globalThis, { URLSearchParams: Reflect.get(globalThis, 'whole') }))
    await payWith(page, cards.good)
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
  })

  test('an incomplete card is not sent', async () => {
    const page = await browser.visitAs(await registered(app, 'ina'), '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    // Not with the mouse: the form above takes its height a moment after it is ready.
    await page.locator('button:enabled', { hasText: 'Pay $9/month' }).press('Enter')
    await expectToast(page, 'error', 'Payment Failed', 'Your card number is incomplete.')
  })
})

describe('a payment that was left', () => {
  test('goes on after a reload, later, and with another plan', async () => {
    const person = await registered(app, 'abel')
    const page = await browser.visitAs(person, '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))
    await page.reload()
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))

    // Another browser, another day.
    const later = await browser.visitAs(person, '/onboarding/plan')
    await continueToPayment(later, 'Agency')
    await payWith(later, cards.good)
    await expectToast(later, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
    const standing = (await app.stripe.subscriptionsOf('abel@example.test')).map(({ status }) => status)
    expect(standing.filter((status) => status === 'active')).toHaveLength(1)

    // The first window still shows the form of a plan that was given up, and cannot pay for it.
    await page.reload()
    await expectAddress(page, '/settings?change=pro')
  })

  test('is forgotten when its person logs out', async () => {
    const page = await browser.visitAs(await registered(app, 'otmar'), '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await page.getByRole('button', { name: 'Log out' }).click()
    await expectAddress(page, '/login')
    await expect.poll(() => kept(page)).toBeNull()
  })

  test('and made in another tab is not made twice', async () => {
    const person = await registered(app, 'toni')
    const page = await browser.visitAs(person, '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))
    const tab = await browser.visitAs(person, '/onboarding/plan')
    await continueToPayment(tab, 'Pro')
    await payWith(tab, cards.good)
    await expectAddress(tab, '/onboarding/sites')
    // Pressing Pay here as well finds it paid.
    await payWith(page, cards.good)
    await expectAddress(page, '/onboarding/sites')
    expect((await app.stripe.subscriptionsOf('toni@example.test')).map(({ status }) => status)).toEqual(['active'])

    const third = await browser.visitAs(person, '/onboarding/plan')
    await continueToPlanPaid(third)
  })

  /** Chooses the plan that is in force already. */
  async function continueToPlanPaid(page: Page): Promise<void> {
    await choose(page, 'Pro')
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expectAddress(page, '/onboarding/sites')
  }

  test('is waited for until the plan is in force', async () => {
    const page = await browser.visitAs(await registered(app, 'wanda'), '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))
    // Paid, but Stripe then does not answer the server's questions.
    await app.stripe.hold()
    await app.stripe.fail({ status: 500, times: 200, match: 'GET /v1/subscriptions' })
    await payWith(page, cards.good)
    await expectVisible(page.getByRole('heading', { name: 'Your payment was made; the plan is on its way' }))
    await app.stripe.stopFailing()
    await app.stripe.release()
    await page.reload()
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
  })
})

describe('coming back from a bank’s own page', () => {
  test('a payment that was made is confirmed by the server, and the address forgets it', async () => {
    const person = await registered(app, 'rita')
    const page = await browser.visitAs(person, '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))
    const secret = await secretOf(person)
    await app.stripe.pay(secret)
    await page.goto(`/onboarding/sites?payment_intent=pi_1&payment_intent_client_secret=${secret}&redirect_status=succeeded`)
    await expectToast(page, 'success', 'Payment Successful', 'Your Pro plan has been activated.')
    await expectAddress(page, '/onboarding/sites')
    await expectVisible(page.getByText('Choose up to 5 site(s) from your Google Search Console properties'))
  })

  test('one that failed can be made again', async () => {
    const person = await registered(app, 'rolf')
    const page = await browser.visitAs(person, '/onboarding/plan')
    await continueToPayment(page, 'Pro')
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))
    const secret = await secretOf(person)
    await app.stripe.pay(secret, cards.asksEachTime, 'fail')
    await page.goto(`/onboarding/sites?payment_intent=pi_1&payment_intent_client_secret=${secret}&redirect_status=failed`)
    await expectToast(page, 'error', 'Payment Failed', /authenticate/)
    await expectAddress(page, '/onboarding/payment')
    await payWith(page, cards.good)
    await expectToast(page, 'success', 'Payment Successful')
  })

  test('who only says that they paid has not', async () => {
    const page = await browser.visitAs(await registered(app, 'lars'), '/onboarding/plan')
    await choose(page, 'Pro')
    await page.goto('/onboarding/sites?payment_intent=pi_1&redirect_status=succeeded')
    await expectAddress(page, '/onboarding/payment')
  })

  /** What the payment form was given: asking again answers the same. */
  async function secretOf(person: Visitor): Promise<string> {
    const answer = createSubscriptionAnswer.parse((await person.send('POST', '/api/create-subscription', { planType: 'pro' })).body)
    if (!('clientSecret' in answer)) throw new Error('There is nothing to pay')
    return answer.clientSecret
  }
})

describe('when Stripe is away', () => {
  test('the subscription cannot be created, and can be a moment later', async () => {
    const page = await browser.visitAs(await registered(app, 'sven'), '/onboarding/plan')
    await app.stripe.fail({ status: 500, times: 200 })
    await continueToPayment(page, 'Pro')
    await expectToast(page, 'error', 'Error', 'Failed to create subscription. Please try again.')
    await app.stripe.stopFailing()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('button', { name: 'Pay $9/month' }))
  })
})

describe('welcome', () => {
  const dialog = (page: Page) => page.getByRole('dialog')
  const step = (page: Page, at: number) => dialog(page).getByText(`Step ${at} of 4`, { exact: true })

  test('a newcomer is led through four steps, once', async () => {
    const page = await browser.visitAs(await app.demo(), '/dashboard', { newHere: true })
    await expectVisible(step(page, 1), dialog(page).getByRole('button', { name: 'Skip' }))
    await expectFocused(dialog(page).getByRole('button', { name: 'Next' }))
    await page.keyboard.press('Enter')
    // It names what this account is connected to.
    await expectVisible(step(page, 2), dialog(page).getByText('sc-domain:lumenandloom.example'))
    await dialog(page).getByRole('button', { name: 'Next' }).click()
    await expectVisible(step(page, 3))
    for (const metric of ['Clicks', 'Impressions', 'CTR', 'Position']) await expectVisible(dialog(page).getByText(metric, { exact: true }))
    await dialog(page).getByRole('button', { name: 'Back' }).click()
    await expectVisible(step(page, 2))
    await dialog(page).getByRole('button', { name: 'Next' }).click()
    await dialog(page).getByRole('button', { name: 'Next' }).click()
    await expectVisible(step(page, 4))
    await dialog(page).getByRole('button', { name: 'Get Started' }).click()
    await expectGone(dialog(page))
    expect(await page.evaluate(() => localStorage.getItem('ranklark_onboarding_completed'))).not.toBeNull()
    await page.reload()
    await expectVisible(page.getByRole('region', { name: 'Clicks' }))
    expect(await dialog(page).count()).toBe(0)
  })

  test.each([
    ['Skip', (page: Page) => dialog(page).getByRole('button', { name: 'Skip' }).click()],
    ['closing', (page: Page) => dialog(page).getByRole('button', { name: 'Close' }).click()],
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
  ])('%s ends it for good', async (_how, end) => {
    const page = await browser.visitAs(await app.demo(), '/dashboard', { newHere: true })
    await expectVisible(step(page, 1))
    await end(page)
    await expectGone(dialog(page))
    expect(await page.evaluate(() => localStorage.getItem('ranklark_onboarding_completed'))).not.toBeNull()
  })
})
