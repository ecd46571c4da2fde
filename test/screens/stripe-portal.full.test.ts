import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { type Bench, newSubscription, paidSubscription } from '../../emulators/stripe/testing.ts'
import { expect, test } from '../support/stripe-form-test.ts'

type Place = { till: Bench; shop: { url: string }; page: Page }

async function openPortal({ till, shop, page }: Place, customer: string): Promise<void> {
  const session = await till.stripe.billingPortal.sessions.create({ customer, return_url: `${shop.url}/back` })
  await page.goto(session.url)
}

async function saveCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiration date').fill('12 / 40')
  await page.getByLabel('Security code').fill('123')
  await page.getByRole('button', { name: 'Save card' }).click()
}

test('the portal shows plan, card and invoices, cancels and renews, and leads back', async ({ till, shop, page }) => {
  const { customer, subscription } = await paidSubscription(till)
  await openPortal({ till, shop, page }, customer.id)
  await page.getByText('Ranklark Pro').waitFor()
  await page.getByText('$9.00 per month').waitFor()
  await page.getByText('Visa •••• 4242').waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByText('Your plan will be canceled on').waitFor()
  expect((await till.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(true)
  await page.getByRole('button', { name: 'Renew plan' }).click()
  await page.getByText('Your plan renews on').waitFor()
  expect((await till.stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(false)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('heading', { name: /^Invoice .+-0001$/ }).waitFor()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.goBack()
  await page.getByRole('link', { name: 'Return' }).click()
  await page.getByRole('heading', { name: 'Thank you' }).waitFor()
})

test('in the portal another card pays what a declined one left unpaid', async ({ till, shop, page }) => {
  const { customer, subscription } = await paidSubscription(till, '4000002500003155')
  await till.control('PUT', 'card', { customer: customer.id })
  await till.control('POST', 'advance', { days: 32 })
  expect((await till.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due')
  await till.control('PUT', 'card', { customer: customer.id, problem: null })
  await openPortal({ till, shop, page }, customer.id)
  await page.getByText('The last payment failed.').waitFor()
  await saveCard(page, '4000000000000002')
  expect(await page.getByRole('alert').textContent()).toBe('Your card was declined.')
  await saveCard(page, '4000002760003184')
  await page.getByRole('button', { name: 'Fail authentication' }).click()
  expect(await page.getByRole('alert').textContent()).toMatch(/^We are unable to authenticate/)
  await saveCard(page, '4000002760003184')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  // Once to save the card, once for the payment.
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await page.getByText('Your card was saved.').waitFor()
  await page.getByText('Visa •••• 3184').waitFor()
  const after = await till.stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method'] })
  expect(after).toMatchObject({ status: 'active', default_payment_method: { card: { last4: '3184' } } })
})

test('the first page shows what there is', async ({ till, page }) => {
  await newSubscription(till)
  await till.types()
  await page.goto(till.standIn.url)
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor()
  expect(await page.getByText('customer.subscription.created').count()).toBeGreaterThan(0)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})
