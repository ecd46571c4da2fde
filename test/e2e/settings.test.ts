import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSubscriptionAnswer } from '../../src/contract/billing.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../support/browser.ts'
import { expectAddress, expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { newPerson, shortenHistory } from '../support/people.ts'
import { cards } from '../support/stripe-control.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
})
afterAll(() => demo.close())
afterEach(() => app.stripe.stopFailing())

const emailOf = (name: string) => `${name}@example.test`

type Payer = { plan: 'pro' | 'agency'; sites?: number; card?: string }

/** Somebody who has paid for a plan, and watches so many sites. */
async function payer(name: string, { plan, sites = 0, card = cards.good }: Payer): Promise<Visitor> {
  const names = Array.from({ length: sites }, (_, index) => `https://${name}-${index + 1}.example/`)
  const person = await newPerson(app, { email: emailOf(name), sites: Object.fromEntries(names.map((site) => [site, 'empty' as const])) })
  const { body } = await person.send('POST', '/api/create-subscription', { planType: plan })
  const answer = createSubscriptionAnswer.parse(body)
  if (!('clientSecret' in answer)) throw new Error('There was nothing to pay')
  await app.stripe.pay(answer.clientSecret, card, 'complete')
  await person.send('POST', '/api/subscription/refresh')
  for (const site of names) await shortenHistory(app, site, 3)
  if (sites > 0) await person.send('POST', '/api/gsc-properties/monitor', { sites: names })
  return person
}

const planCard = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const isCurrent = (page: Page, name: string) => planCard(page, name).getByText('Current plan', { exact: true })
const question = (page: Page, from: string, to: string) => page.getByRole('dialog', { name: `Change from ${from} to ${to}?` })

describe('choosing a plan', () => {
  test('from Free leads to the payment of the better one', async () => {
    const page = await browser.visitAs(await newPerson(app, { email: emailOf('fee') }), '/settings')
    await expectVisible(page.getByRole('heading', { name: 'Account Settings', level: 1 }), isCurrent(page, 'Free'))
    await expectText(planCard(page, 'Agency').getByRole('paragraph').first(), '$29 /month')
    await planCard(page, 'Pro').getByRole('button', { name: 'Upgrade to Pro' }).click()
    await expectAddress(page, '/onboarding/payment')
    await expectVisible(page.getByRole('region', { name: 'Order Summary' }).getByText('Pro Plan', { exact: true }))

    // Thought better of it: the purchase stands in nobody's way.
    await page.getByRole('link', { name: 'Back to the dashboard' }).click()
    await expectAddress(page, '/dashboard')
    await page.getByRole('link', { name: 'Select a property →' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Select Sites to Monitor' }))
  })

  test('a better one is paid for at once, less what is left', async () => {
    const page = await browser.visitAs(await payer('uma', { plan: 'pro' }), '/settings')
    await expectVisible(isCurrent(page, 'Pro'), page.getByText('Pro, next payment $9 on 18 Apr', { exact: true }))
    await expectVisible(page.getByText('Visa ending in 4242'))
    await planCard(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency' }).click()
    await expectVisible(question(page, 'Pro', 'Agency').getByText('Due now', { exact: true }))
    await expectAddress(page, '/settings?change=agency')
    await page.keyboard.press('Escape')
    await expectGone(question(page, 'Pro', 'Agency'))
    await expectAddress(page, '/settings')
    await expectVisible(isCurrent(page, 'Pro'))

    await planCard(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency' }).click()
    await question(page, 'Pro', 'Agency')
      .getByRole('button', { name: /^Pay \$20(\.00)? and change to Agency$/ })
      .click()
    await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
    await expectGone(question(page, 'Pro', 'Agency'))
    await expectVisible(isCurrent(page, 'Agency'), page.getByText('Agency Plan'), page.getByText('0/25 sites monitored'))
  })

  test('a card that is declined changes nothing, and another try may work', async () => {
    const page = await browser.visitAs(await payer('dieter', { plan: 'pro' }), '/settings?change=agency')
    await app.stripe.failCard(emailOf('dieter'))
    const pay = question(page, 'Pro', 'Agency').getByRole('button', { name: /^Pay / })
    await pay.click()
    await expectToast(page, 'error', 'Payment Failed', 'Your card was declined.')
    await expectVisible(pay)
    await app.stripe.failCard(emailOf('dieter'), null)
    await pay.click()
    await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
  })

  test('a smaller one follows when the period ends, and can be taken back', async () => {
    const page = await browser.visitAs(await payer('doris', { plan: 'agency' }), '/settings')
    await planCard(page, 'Pro').getByRole('button', { name: 'Downgrade to Pro' }).click()
    const asked = question(page, 'Agency', 'Pro')
    await expectVisible(
      asked.getByText(
        'Agency is paid for and stays in force until 18 Apr. Then Pro follows, at $9 each month. You can take this back until then.',
      ),
      asked.getByText('Nothing is deleted.'),
    )
    await asked.getByRole('button', { name: 'Change to Pro' }).click()
    await expectToast(page, 'success', 'Plan Change Scheduled')
    await expectVisible(
      page.getByText('Agency until 18 Apr, then Pro', { exact: true }),
      planCard(page, 'Pro').getByText('From 18 Apr', { exact: true }),
    )
    await expectVisible(isCurrent(page, 'Agency'))

    await page.getByRole('button', { name: 'Keep Agency' }).click()
    await expectToast(page, 'success', 'Plan Kept', 'Your Agency plan goes on.')
    await expectVisible(page.getByText('Agency, next payment $29 on 18 Apr', { exact: true }))
  })

  test('what cannot be found out or done is said', async () => {
    const page = await browser.visitAs(await payer('egon', { plan: 'pro' }), '/settings')
    await expectVisible(isCurrent(page, 'Pro'))
    await app.stripe.fail({ status: 500, times: 20 })
    await planCard(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency' }).click()
    await expectVisible(question(page, 'Pro', 'Agency').getByRole('alert'))
    await app.stripe.stopFailing()
    await question(page, 'Pro', 'Agency').getByRole('button', { name: 'Try again' }).click()
    await expectVisible(question(page, 'Pro', 'Agency').getByText('Due now'))
    await app.stripe.fail({ status: 500, times: 20 })
    await question(page, 'Pro', 'Agency').getByRole('button', { name: /^Pay / }).click()
    await expectToast(page, 'error', 'Error')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Manage card and invoices' }).click()
    await expectToast(page, 'error', 'Error')
    await app.stripe.stopFailing()
  })

  test('with the keyboard alone', async () => {
    const page = await browser.visitAs(await payer('karl', { plan: 'pro' }), '/settings')
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

const answerBank = async (page: Page, answer: 'Complete' | 'Fail'): Promise<void> => {
  await page.frameLocator('iframe').last().getByRole('button', { name: answer }).click()
}

test('the bank may want to ask: refused, and then allowed', async () => {
  const page = await browser.visitAs(await payer('bodo', { plan: 'pro', card: cards.asksEachTime }), '/settings?change=agency')
  const pay = question(page, 'Pro', 'Agency').getByRole('button', { name: /^Pay / })
  await pay.click()
  await answerBank(page, 'Fail')
  await expectToast(page, 'error', 'Payment Failed')
  await pay.click()
  await answerBank(page, 'Complete')
  await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
  await expectVisible(isCurrent(page, 'Agency'))
})

test('cancelled: it runs to its end, sites beyond Free pause then, and the owner chooses which stay', async () => {
  const person = await payer('lena', { plan: 'pro', sites: 3 })
  const page = await browser.visitAs(person, '/settings')
  await planCard(page, 'Free').getByRole('button', { name: 'Downgrade to Free' }).click()
  const asked = question(page, 'Pro', 'Free')
  await expectVisible(
    asked.getByText(
      'Pro is paid for and stays in force until 18 Apr. Then Free follows, and nothing more is charged. You can take this back until then.',
    ),
    asked.getByText('2 of your 3 sites will be paused; you choose which stay.'),
  )
  await asked.getByRole('button', { name: 'Change to Free' }).click()
  await expectToast(page, 'success', 'Plan Change Scheduled')
  await expectVisible(page.getByText('Pro until 18 Apr, then Free', { exact: true }), page.getByText('3/5 sites monitored'))

  await app.stripe.advance({ days: 32 })
  await page.goto('/dashboard')
  const banner = page.getByRole('region', { name: 'Paused sites' })
  await expectVisible(banner.getByText('Your Free plan covers 1 site(s); 2 are paused.'), page.getByText('1/1 sites monitored'))
  await banner.getByRole('link', { name: 'Choose which stay' }).click()
  await expectAddress(page, '/onboarding/sites')
  await expect.poll(() => page.getByText('paused', { exact: true }).count()).toBe(2)
  await page.getByRole('checkbox', { checked: true }).uncheck()
  await page.getByRole('checkbox', { name: 'https://lena-3.example/' }).check()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectAddress(page, '/dashboard')
  await expectVisible(page.getByRole('button', { name: 'Property: https://lena-3.example/' }))
})

test('cancelled while a renewal is unpaid: it ends at once, and the payment that failed is not tried again', async () => {
  const person = await payer('nora', { plan: 'pro' })
  await app.stripe.failCard(emailOf('nora'))
  await app.stripe.advance({ days: 32 })
  const page = await browser.visitAs(person, '/settings')
  await planCard(page, 'Free').getByRole('button', { name: 'Downgrade to Free' }).click()
  const asked = question(page, 'Pro', 'Free')
  await expectVisible(
    asked.getByText('Free begins at once. The payment that failed is not tried again, and nothing more is charged.', { exact: true }),
  )
  await asked.getByRole('button', { name: 'Change to Free' }).click()
  await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
  await expectVisible(isCurrent(page, 'Free'))
  expect(await app.stripe.invoicesOf(emailOf('nora'))).toEqual(['paid', 'void'])
})

test('a renewal that fails is said everywhere, with the way to mend it', async () => {
  const person = await payer('paul', { plan: 'pro' })
  await app.stripe.failCard(emailOf('paul'))
  await app.stripe.advance({ days: 32 })
  const page = await browser.visitAs(person, '/dashboard')
  const banner = page.getByRole('region', { name: 'Payment' })
  await expectVisible(banner.getByText('The last payment for your Pro plan failed. It is tried again over the next days.'))
  await banner.getByRole('link', { name: 'Check the card' }).click()
  await expectAddress(page, '/settings')
  await expectVisible(page.getByRole('alert').filter({ hasText: 'The last payment for Pro failed.' }), isCurrent(page, 'Pro'))

  // Stripe's own page, and back.
  await page.getByRole('button', { name: 'Manage card and invoices' }).click()
  await expect.poll(() => page.url()).toContain(app.stripe.url)
})
