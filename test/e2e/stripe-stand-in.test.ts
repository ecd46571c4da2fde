import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBench, paidSubscription, type Bench } from '../../emulators/stripe/testing.ts'
import { launchChromium } from '../support/browser-chromium.ts'
import { serveStripePage, type PageConfig } from '../support/stripe-page.ts'

let browser: Browser
let bench: Bench
let shop: Awaited<ReturnType<typeof serveStripePage>>
let page: Page
let complaints: string[]

beforeAll(async () => {
  browser = await launchChromium()
  bench = await openBench()
  shop = await serveStripePage(bench.standIn.url)
})

afterAll(async () => {
  await shop?.close()
  await bench?.close()
  await browser?.close()
})

beforeEach(async () => {
  page = await (await browser.newContext()).newPage()
  complaints = []
  page.on('console', (message) => {
    // What Chromium itself says of an answer that is an error of Stripe's.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('402')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
})

afterEach(async () => {
  await page.context().close()
  expect(complaints).toEqual([])
})

async function newSubscription(): Promise<{ subscription: Stripe.Subscription; clientSecret: string }> {
  const customer = await bench.stripe.customers.create({ email: 'ada@example.com' })
  const price = await bench.price('ranklark_pro_monthly')
  const subscription = await bench.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret'],
  })
  const invoice = subscription.latest_invoice as Stripe.Invoice
  return { subscription, clientSecret: invoice.confirmation_secret?.client_secret ?? '' }
}

async function open(config: Partial<PageConfig> & { clientSecret: string }): Promise<void> {
  shop.show({ publishableKey: bench.standIn.publishableKey, redirect: 'if_required', ...config })
  await page.goto(shop.url)
}

const form = () => page.frameLocator('iframe[title="Secure payment input frame"]')
const bank = () => page.frameLocator('dialog iframe')

async function type(number: string, expiry = '12 / 40', cvc = '123'): Promise<void> {
  await form().getByLabel('Card number').pressSequentially(number)
  await form().getByLabel('Expiration date').pressSequentially(expiry)
  await form().getByLabel('Security code').pressSequentially(cvc)
}

async function pay(): Promise<void> {
  await page.getByRole('button', { name: 'Pay' }).click()
}

interface Result {
  error?: { type: string; code: string; decline_code?: string; message: string; payment_intent?: { status: string } }
  paymentIntent?: { id: string; status: string; customer?: string }
  setupIntent?: { status: string; payment_method: string }
}

async function result(): Promise<Result> {
  await page.waitForFunction(() => !['', '"…"'].includes(document.getElementById('result')?.textContent ?? ''))
  return JSON.parse((await page.locator('#result').textContent()) ?? '') as Result
}

test('a card that is good pays the subscription, and the page never sees its number', async () => {
  const { subscription, clientSecret } = await newSubscription()
  await open({ clientSecret })
  await type('4242424242424242')
  expect(await form().getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
  await page.getByText('true').waitFor()
  await pay()
  const paid = await result()
  expect(paid.paymentIntent?.status).toBe('succeeded')
  expect(paid.paymentIntent?.customer).toBeUndefined()
  expect(await page.content()).not.toContain('4242424242424242')
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  expect(await page.evaluate(() => (window as unknown as { events: string[] }).events)).toEqual(
    expect.arrayContaining(['ready', 'focus', 'change', 'blur']),
  )
})

test('with redirect "always" the browser goes to the return address', async () => {
  const { clientSecret } = await newSubscription()
  await open({ clientSecret, redirect: 'always' })
  await type('4242424242424242')
  await pay()
  await page.waitForURL('**/back?*')
  const back = new URL(page.url()).searchParams
  expect(back.get('redirect_status')).toBe('succeeded')
  expect(back.get('payment_intent_client_secret')).toBe(clientSecret)
  expect(clientSecret.startsWith(back.get('payment_intent') ?? '?')).toBe(true)
})

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
])('%s is refused, and another card then pays', async (number, code, decline, message) => {
  const { clientSecret } = await newSubscription()
  await open({ clientSecret })
  await type(number)
  await pay()
  expect((await result()).error).toMatchObject({ type: 'card_error', code, decline_code: decline, message })
  await form().getByLabel('Card number').fill('5555555555554444')
  await pay()
  expect((await result()).paymentIntent?.status).toBe('succeeded')
})

test('3-D Secure: completing pays, failing says why and can be tried again', async () => {
  const { subscription, clientSecret } = await newSubscription()
  await open({ clientSecret })
  await type('4000002760003184')
  await pay()
  await bank().getByRole('button', { name: 'Fail authentication' }).click()
  expect((await result()).error).toMatchObject({
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_intent: { status: 'requires_payment_method' },
  })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete')
  await pay()
  await bank().getByRole('button', { name: 'Complete authentication' }).click()
  expect((await result()).paymentIntent?.status).toBe('succeeded')
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
})

test('3-D Secure: Escape is a failure, and a card may be declined after it', async () => {
  const { clientSecret } = await newSubscription()
  await open({ clientSecret })
  await type('4000008400001629')
  await pay()
  await bank().getByRole('button', { name: 'Complete authentication' }).waitFor()
  await page.locator('dialog').evaluate((dialog) => dialog.dispatchEvent(new Event('cancel', { cancelable: true })))
  expect((await result()).error?.code).toBe('payment_intent_authentication_failure')
  await pay()
  await bank().getByRole('button', { name: 'Complete authentication' }).click()
  expect((await result()).error).toMatchObject({ type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
})

test('what is typed wrong is said beside the field, without asking the server', async () => {
  const { clientSecret } = await newSubscription()
  await open({ clientSecret })
  await form().getByLabel('Card number').waitFor()
  await pay()
  expect((await result()).error).toMatchObject({
    type: 'validation_error',
    code: 'incomplete_number',
    message: 'Your card number is incomplete.',
  })
  await expect
    .poll(() => form().getByRole('alert').allTextContents())
    .toEqual(['Your card number is incomplete.', "Your card's expiration date is incomplete.", "Your card's security code is incomplete."])
  await type('4242424242424241', '12 / 20', '1')
  await pay()
  await expect
    .poll(() => form().getByRole('alert').allTextContents())
    .toEqual(['Your card number is invalid.', "Your card's expiration year is in the past.", "Your card's security code is incomplete."])
  expect(await form().getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
})

test('elements made before there is an intent are submitted first', async () => {
  const { subscription, clientSecret } = await newSubscription()
  await open({ clientSecret, deferred: true })
  await type('4242424242424242')
  await pay()
  expect((await result()).paymentIntent?.status).toBe('succeeded')
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
})

test('a card is set up for later with 3-D Secure', async () => {
  const customer = await bench.stripe.customers.create({ email: 'set@example.com' })
  const setup = await bench.stripe.setupIntents.create({ customer: customer.id, automatic_payment_methods: { enabled: true } })
  await open({ clientSecret: setup.client_secret ?? '', setUp: true })
  await type('4000002500003155')
  await pay()
  await bank().getByRole('button', { name: 'Complete authentication' }).click()
  const { setupIntent } = await result()
  expect(setupIntent?.status).toBe('succeeded')
  const [card] = (await bench.stripe.paymentMethods.list({ customer: customer.id })).data
  expect(card).toMatchObject({ id: setupIntent?.payment_method, card: { last4: '3155' } })
})

test('a payment that waits for its owner is answered on a later visit', async () => {
  const { subscription, clientSecret } = await newSubscription()
  await bench.control('POST', 'pay', { subscription: subscription.id, card: '4000002760003184' })
  await open({ clientSecret })
  await page.getByRole('button', { name: 'Retrieve' }).click()
  expect((await result()).paymentIntent?.status).toBe('requires_action')
  await page.getByRole('button', { name: 'Next action' }).click()
  await bank().getByRole('button', { name: 'Complete authentication' }).click()
  await expect.poll(async () => (await result()).paymentIntent?.status).toBe('succeeded')
})

test('an unknown intent is a load error; the element goes away with its page part', async () => {
  await open({ clientSecret: 'pi_unknown_secret_unknown'.replace('pi_unknown', 'pi_Unknown1') })
  expect(await result()).toMatchObject({ code: 'resource_missing' })
  await page.getByRole('button', { name: 'Toggle' }).click()
  await expect.poll(() => page.locator('iframe').count()).toBe(0)
  complaints = complaints.filter((text) => !text.includes('404'))
})

test.each(['stripe', 'night'])(
  'the form follows the appearance %s, grows with its errors and has no accessibility fault',
  async (theme) => {
    const { clientSecret } = await newSubscription()
    const variables =
      theme === 'night' ? { colorBackground: '#101418', colorText: '#f0f0f0', colorPrimary: '#7aa2ff' } : { borderRadius: '12px' }
    await open({ clientSecret, appearance: { theme, variables } })
    const number = form().getByLabel('Card number')
    await number.waitFor()
    await expect
      .poll(() => number.evaluate((input) => [getComputedStyle(input).backgroundColor, getComputedStyle(input).borderRadius]))
      .toEqual(theme === 'night' ? ['rgb(16, 20, 24)', '5px'] : ['rgb(255, 255, 255)', '12px'])
    const top = async (label: string) => (await form().getByLabel(label).boundingBox())?.y
    expect(await top('Expiration date')).toBe(await top('Security code'))
    const height = async () => (await page.locator('iframe').boundingBox())?.height ?? 0
    await expect.poll(height).toBeGreaterThan(150)
    const before = await height()
    await pay()
    await expect.poll(height).toBeGreaterThan(before)
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await number.fill('4000002760003184')
    await type('', '1240', '123')
    await pay()
    await bank().getByRole('button', { name: 'Fail authentication' }).waitFor()
    expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([])
  },
)

async function openPortal(customer: string): Promise<void> {
  const session = await bench.stripe.billingPortal.sessions.create({ customer, return_url: `${shop.url}/back` })
  await page.goto(session.url)
}

async function saveCard(number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiration date').fill('12 / 40')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Save card' }).click()
}

test('the portal shows plan, card and invoices, cancels and renews, and leads back', async () => {
  const { customer, subscription } = await paidSubscription(bench)
  await openPortal(customer.id)
  await page.getByText('Ranklark Pro').waitFor()
  await page.getByText('$9.00 per month').waitFor()
  await page.getByText('Visa •••• 4242').waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByText('Your plan will be canceled on').waitFor()
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(true)
  await page.getByRole('button', { name: 'Renew plan' }).click()
  await page.getByText('Your plan renews on').waitFor()
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(false)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('heading', { name: /^Invoice .+-0001$/ }).waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.goBack()
  await page.getByRole('link', { name: 'Return' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
})

test('in the portal another card pays what a failing one left open', async () => {
  const { customer, subscription } = await paidSubscription(bench, '4000002500003155')
  await bench.control('PUT', 'card', { customer: customer.id })
  await bench.control('POST', 'advance', { days: 32 })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due')
  await bench.control('PUT', 'card', { customer: customer.id, problem: null })
  await openPortal(customer.id)
  await page.getByText('The last payment failed.').waitFor()
  await saveCard('4000000000000002')
  expect(await page.getByRole('alert').textContent()).toBe('Your card was declined.')
  await saveCard('4000002760003184')
  await page.getByRole('button', { name: 'Fail authentication' }).click()
  expect(await page.getByRole('alert').textContent()).toMatch(/^We are unable to authenticate/)
  await saveCard('4000002760003184')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  // Once for keeping the card, once for the payment.
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await page.getByText('Your card was saved.').waitFor()
  await page.getByText('Visa •••• 3184').waitFor()
  const after = await bench.stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method'] })
  expect(after).toMatchObject({ status: 'active', default_payment_method: { card: { last4: '3184' } } })
})

test('the first page shows what there is', async () => {
  await newSubscription()
  await bench.types()
  await page.goto(bench.standIn.url)
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor()
  expect(await page.getByText('customer.subscription.created').count()).toBeGreaterThan(0)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})
