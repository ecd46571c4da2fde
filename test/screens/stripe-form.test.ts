import { expectAttribute, expectValue } from '../support/browser-expect.ts'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { newSubscription } from '../../emulators/stripe/testing.ts'
import { bankOf, expect, test } from '../support/stripe-form-test.ts'

const formOf = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]')

async function type(page: Page, number: string, expiry = '12 / 40', cvc = '123'): Promise<void> {
  await formOf(page).getByLabel('Card number').pressSequentially(number)
  await formOf(page).getByLabel('Expiration date').pressSequentially(expiry)
  await formOf(page).getByLabel('Security code').pressSequentially(cvc)
}

const pay = (page: Page) => page.getByRole('button', { name: 'Pay' }).click()

interface Result {
  error?: { type: string; code: string; decline_code?: string; message: string; payment_intent?: { status: string } }
  paymentIntent?: { id: string; status: string; customer?: string }
  setupIntent?: { status: string; payment_method: string }
}

async function result(page: Page): Promise<Result> {
  await page.waitForFunction(() => !['', '"…"'].includes(document.getElementById('result')?.textContent ?? ''))
  return JSON.parse((await page.locator('#result').textContent()) ?? '') as Result
}

test('a good card pays for the subscription, and the page never sees its number', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const { subscription, clientSecret } = await newSubscription(till)
  await openForm({ clientSecret })
  await type(page, '4242424242424242')
  await expectValue(formOf(page).getByLabel('Card number'), '4242 4242 4242 4242')
  await page.getByText('true').waitFor()
  await pay(page)
  const paid = await result(page)
  expect(paid.paymentIntent?.status).toBe('succeeded')
  expect(paid.paymentIntent?.customer).toBeUndefined()
  expect(await page.content()).not.toContain('4242424242424242')
  expect((await till.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  expect(await page.evaluate(() => (window as unknown as { events: string[] }).events)).toEqual(
    expect.arrayContaining(['ready', 'focus', 'change', 'blur']),
  )
})

test('with redirect "always" the browser goes to the return URL', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const { clientSecret } = await newSubscription(till)
  await openForm({ clientSecret, redirect: 'always' })
  await type(page, '4242424242424242')
  await pay(page)
  await page.waitForURL('**/back?*')
  const back = new URL(page.url()).searchParams
  expect(back.get('redirect_status')).toBe('succeeded')
  expect(back.get('payment_intent_client_secret')).toBe(clientSecret)
  expect(clientSecret.startsWith(back.get('payment_intent') ?? '?')).toBe(true)
})

test.for([
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
] as const)(
  '%s is refused, and another card then pays',
  { tags: ['full'] },
  async ([number, code, decline, message], { till, openForm, page }) => {
    const { clientSecret } = await newSubscription(till)
    await openForm({ clientSecret })
    await type(page, number)
    await pay(page)
    expect((await result(page)).error).toMatchObject({ type: 'card_error', code, decline_code: decline, message })
    await formOf(page).getByLabel('Card number').fill('5555555555554444')
    await pay(page)
    expect((await result(page)).paymentIntent?.status).toBe('succeeded')
  },
)

test('3-D Secure: completing it pays, failing says why and can be retried', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const { subscription, clientSecret } = await newSubscription(till)
  await openForm({ clientSecret })
  await type(page, '4000002760003184')
  await pay(page)
  await bankOf(page).getByRole('button', { name: 'Fail authentication' }).click()
  expect((await result(page)).error).toMatchObject({
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_intent: { status: 'requires_payment_method' },
  })
  expect((await till.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete')
  await pay(page)
  await bankOf(page).getByRole('button', { name: 'Complete authentication' }).click()
  expect((await result(page)).paymentIntent?.status).toBe('succeeded')
  expect((await till.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
})

test('3-D Secure: Escape is a failure, and a card may be declined after it', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const { clientSecret } = await newSubscription(till)
  await openForm({ clientSecret })
  await type(page, '4000008400001629')
  await pay(page)
  await bankOf(page).getByRole('button', { name: 'Complete authentication' }).waitFor()
  await page.locator('dialog').evaluate((dialog) => dialog.dispatchEvent(new Event('cancel', { cancelable: true })))
  expect((await result(page)).error?.code).toBe('payment_intent_authentication_failure')
  await pay(page)
  await bankOf(page).getByRole('button', { name: 'Complete authentication' }).click()
  expect((await result(page)).error).toMatchObject({ type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
})

test('invalid input is reported next to the field, without asking the server', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const { clientSecret } = await newSubscription(till)
  await openForm({ clientSecret })
  await formOf(page).getByLabel('Card number').waitFor()
  await pay(page)
  expect((await result(page)).error).toMatchObject({
    type: 'validation_error',
    code: 'incomplete_number',
    message: 'Your card number is incomplete.',
  })
  await expect
    .poll(() => formOf(page).getByRole('alert').allTextContents())
    .toEqual(['Your card number is incomplete.', "Your card's expiration date is incomplete.", "Your card's security code is incomplete."])
  await type(page, '4242424242424241', '12 / 20', '1')
  await pay(page)
  await expect
    .poll(() => formOf(page).getByRole('alert').allTextContents())
    .toEqual(['Your card number is invalid.', "Your card's expiration year is in the past.", "Your card's security code is incomplete."])
  await expectAttribute(formOf(page).getByLabel('Card number'), 'aria-invalid', 'true')
})

test('elements created before there is an intent are submitted first', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const { subscription, clientSecret } = await newSubscription(till)
  await openForm({ clientSecret, deferred: true })
  await type(page, '4242424242424242')
  await pay(page)
  expect((await result(page)).paymentIntent?.status).toBe('succeeded')
  expect((await till.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
})

test('a card is set up for later with 3-D Secure', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const customer = await till.stripe.customers.create({ email: 'set@example.com' })
  const setup = await till.stripe.setupIntents.create({ customer: customer.id, automatic_payment_methods: { enabled: true } })
  await openForm({ clientSecret: setup.client_secret ?? '', setUp: true })
  await type(page, '4000002500003155')
  await pay(page)
  await bankOf(page).getByRole('button', { name: 'Complete authentication' }).click()
  const { setupIntent } = await result(page)
  expect(setupIntent?.status).toBe('succeeded')
  const [card] = (await till.stripe.paymentMethods.list({ customer: customer.id })).data
  expect(card).toMatchObject({ id: setupIntent?.payment_method, card: { last4: '3155' } })
})

test('a payment that waits for the cardholder is completed on a later visit', { tags: ['full'] }, async ({ till, openForm, page }) => {
  const { subscription, clientSecret } = await newSubscription(till)
  await till.control('POST', 'pay', { subscription: subscription.id, card: '4000002760003184' })
  await openForm({ clientSecret })
  // Until the form has its height, the buttons below it move.
  await page.locator('button:enabled', { hasText: 'Pay' }).waitFor()
  await page.getByRole('button', { name: 'Retrieve' }).click()
  expect((await result(page)).paymentIntent?.status).toBe('requires_action')
  await page.getByRole('button', { name: 'Next action' }).click()
  await bankOf(page).getByRole('button', { name: 'Complete authentication' }).click()
  await expect.poll(async () => (await result(page)).paymentIntent?.status).toBe('succeeded')
})

test(
  'an unknown intent is a load error; the element goes away with its part of the page',
  { tags: ['full'] },
  async ({ openForm, page }) => {
    await openForm({ clientSecret: 'pi_unknown_secret_unknown'.replace('pi_unknown', 'pi_Unknown1') })
    expect(await result(page)).toMatchObject({ code: 'resource_missing' })
    await page.getByRole('button', { name: 'Toggle' }).click()
    await expect.poll(() => page.locator('iframe').count()).toBe(0)
  },
)

test.for(['stripe', 'night'])(
  'the form follows the appearance %s, grows with its errors and is accessible',
  { tags: ['full'] },
  async (theme, { till, openForm, page }) => {
    const { clientSecret } = await newSubscription(till)
    const variables =
      theme === 'night' ? { colorBackground: '#101418', colorText: '#f0f0f0', colorPrimary: '#7aa2ff' } : { borderRadius: '12px' }
    await openForm({ clientSecret, appearance: { theme, variables } })
    const number = formOf(page).getByLabel('Card number')
    await number.waitFor()
    await expect
      .poll(() => number.evaluate((input) => [getComputedStyle(input).backgroundColor, getComputedStyle(input).borderRadius]))
      .toEqual(theme === 'night' ? ['rgb(16, 20, 24)', '5px'] : ['rgb(255, 255, 255)', '12px'])
    const top = async (label: string) => (await formOf(page).getByLabel(label).boundingBox())?.y
    expect(await top('Expiration date')).toBe(await top('Security code'))
    const height = async () => (await page.locator('iframe').boundingBox())?.height ?? 0
    await expect.poll(height).toBeGreaterThan(150)
    const before = await height()
    await pay(page)
    await expect.poll(height).toBeGreaterThan(before)
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await number.fill('4000002760003184')
    await type(page, '', '1240', '123')
    await pay(page)
    await bankOf(page).getByRole('button', { name: 'Fail authentication' }).waitFor()
    expect((await new AxeBuilder({ page }).include('dialog').analyze()).violations).toEqual([])
  },
)
