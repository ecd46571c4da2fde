import { expectVisible } from '../support/browser-expect.ts'
import { expectFine } from '../support/every-screen/look.ts'
import { journeyTest } from '../support/journey-test.ts'
import { registered } from '../support/people.ts'

const test = journeyTest({ figures: false })

// The form is Stripe's, which only the whole product has.
test('payment, and a declined card: accessible in either theme, on a desktop and on a phone', async ({ app, visitAs }) => {
  const page = await visitAs(await registered(app, 'payer'), '/onboarding/plan', { theme: 'light' })
  await page.getByRole('article', { name: 'Pro' }).getByRole('button', { name: 'Select Plan' }).click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  const pay = page.locator('button:enabled', { hasText: 'Pay $9/month' })
  await expectVisible(pay)
  await expectFine(page)
  await page.setViewportSize({ width: 1_280, height: 800 })
  // By the keyboard: Stripe's form adapts to the width whenever it gets to it, and moves the button away from under the mouse.
  await pay.press('Enter')
  await expectVisible(page.getByText('Payment Failed'))
  await expectFine(page)
})
