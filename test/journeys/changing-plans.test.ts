import type { Page } from 'playwright-core'
import { createSubscriptionAnswer } from '../../src/contract/billing.ts'
import type { TestApp, Visitor } from '../support/app.ts'
import { expectAddress, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { newPerson, shortenHistory } from '../support/people.ts'
import { cards } from '../support/stripe-control.ts'

const test = journeyTest({ figures: false })
const emailOf = (name: string) => `${name}@example.test`

/** A user who has paid for Pro, and monitors this many sites. */
async function payer(app: TestApp, name: string, { sites = 0, card = cards.good as string } = {}): Promise<Visitor> {
  const names = Array.from({ length: sites }, (_, index) => `https://${name}-${index + 1}.example/`)
  const person = await newPerson(app, { email: emailOf(name), sites: Object.fromEntries(names.map((site) => [site, 'empty' as const])) })
  const { body } = await person.send('POST', '/api/create-subscription', { planType: 'pro' })
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

test('an upgrade is charged immediately, minus credit for unused time; a downgrade takes effect later and can be undone', async ({
  app,
  visitAs,
}) => {
  const page = await visitAs(await payer(app, 'uma'), '/settings')
  await expectVisible(isCurrent(page, 'Pro'), page.getByText('Pro, next payment $9 on 18 Apr', { exact: true }))
  await expectVisible(page.getByText('Visa ending in 4242'))
  await app.stripe.failCard(emailOf('uma'))
  await planCard(page, 'Agency').getByRole('button', { name: 'Upgrade to Agency' }).click()
  const pay = question(page, 'Pro', 'Agency').getByRole('button', { name: /^Pay \$20(\.00)? and change to Agency$/ })
  await pay.click()
  await expectToast(page, 'error', 'Payment Failed', 'Your card was declined.')
  await app.stripe.failCard(emailOf('uma'), null)
  await pay.click()
  await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
  await expectVisible(isCurrent(page, 'Agency'), page.getByText('0/25 sites monitored'))

  await planCard(page, 'Pro').getByRole('button', { name: 'Downgrade to Pro' }).click()
  await question(page, 'Agency', 'Pro').getByRole('button', { name: 'Change to Pro' }).click()
  await expectToast(page, 'success', 'Plan Change Scheduled')
  await expectVisible(page.getByText('Agency until 18 Apr, then Pro', { exact: true }), isCurrent(page, 'Agency'))
  await page.getByRole('button', { name: 'Keep Agency' }).click()
  await expectToast(page, 'success', 'Plan Kept', 'Your Agency plan continues.')
  await expectVisible(page.getByText('Agency, next payment $29 on 18 Apr', { exact: true }))

  // Stripe's own page.
  await page.getByRole('button', { name: 'Manage card and invoices' }).click()
  await expect.poll(() => page.url()).toContain(app.stripe.url)
})

test('the bank may ask for confirmation: declined, then approved', { tags: ['full'] }, async ({ app, visitAs }) => {
  const page = await visitAs(await payer(app, 'bodo', { card: cards.asksEachTime }), '/settings?change=agency')
  const pay = question(page, 'Pro', 'Agency').getByRole('button', { name: /^Pay / })
  const answerBank = (answer: 'Complete' | 'Fail') => page.frameLocator('iframe').last().getByRole('button', { name: answer }).click()
  await pay.click()
  await answerBank('Fail')
  await expectToast(page, 'error', 'Payment Failed')
  await pay.click()
  await answerBank('Complete')
  await expectToast(page, 'success', 'Payment Successful', 'Your Agency plan has been activated.')
  await expectVisible(isCurrent(page, 'Agency'))
})

test(
  'canceled: it runs to its end, then sites beyond Free pause, and the owner chooses which stay',
  { tags: ['full'] },
  async ({ app, visitAs }) => {
    const page = await visitAs(await payer(app, 'lena', { sites: 3 }), '/settings')
    await planCard(page, 'Free').getByRole('button', { name: 'Downgrade to Free' }).click()
    const asked = question(page, 'Pro', 'Free')
    await expectVisible(asked.getByText('2 of your 3 sites will be paused; you choose which ones to keep.'))
    await asked.getByRole('button', { name: 'Change to Free' }).click()
    await expectToast(page, 'success', 'Plan Change Scheduled')
    await expectVisible(page.getByText('Pro until 18 Apr, then Free', { exact: true }), page.getByText('3/5 sites monitored'))

    await app.stripe.advance({ days: 32 })
    await page.goto('/dashboard')
    const banner = page.getByRole('region', { name: 'Paused sites' })
    await expectVisible(banner.getByText('Your Free plan includes 1 site; 2 are paused.'), page.getByText('1/1 sites monitored'))
    await banner.getByRole('link', { name: 'Choose which to keep' }).click()
    await expectAddress(page, '/onboarding/sites')
    await expect.poll(() => page.getByText('Paused', { exact: true }).count()).toBe(2)
    await page.getByRole('checkbox', { checked: true }).uncheck()
    await page.getByRole('checkbox', { name: 'https://lena-3.example/' }).check()
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await expectAddress(page, '/dashboard')
    await expectVisible(page.getByRole('button', { name: 'Property: https://lena-3.example/' }))
  },
)
