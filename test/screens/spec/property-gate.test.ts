// SPEC §2, "Property Required gate": replaces what can't work without a property, and nothing else.
import { keepDelivery } from '../../support/answers/delivery.ts'
import { answerEveryScreen, newcomerOf } from '../../support/answers/shell.ts'
import { expectAddress, expectAttribute, expectCount, expectDisabled, expectToast, expectVisible } from '../../support/browser-expect.ts'
import { expect, test } from '../../support/screen-test.ts'

const gated = ['/keyword-opportunities', '/page-analytics', '/insights', '/alerts']

test('"Select Property" leads to /account, "Go to Settings" to /settings', async ({ desk, signIn, open }) => {
  answerEveryScreen(desk)
  signIn(newcomerOf())
  const page = await open('/dashboard')
  for (const address of gated) {
    await page.goto(address)
    const main = page.getByRole('main')
    await expectVisible(main.getByRole('heading', { name: 'Property Required', exact: true }))
    await expectAttribute(main.getByRole('link', { name: 'Select Property', exact: true }), 'href', '/account')
    await expectAttribute(main.getByRole('link', { name: 'Go to Settings', exact: true }), 'href', '/settings')
  }
  await page.getByRole('link', { name: 'Select Property', exact: true }).click()
  await expectAddress(page, '/account')
  await page.goBack()
  await page.getByRole('link', { name: 'Go to Settings', exact: true }).click()
  await expectAddress(page, '/settings')
})

test('alerts can be delivered, and a test email sent, without a property', async ({ desk, signIn, open }) => {
  signIn(newcomerOf())
  const kept = keepDelivery(desk, { plan: 'free' })
  desk.answer('GET /api/alert-conditions', [])
  desk.answer('POST /api/alerts/test-email', { email: 'new@example.test' })
  const page = await open('/alert-settings')
  await expectVisible(page.getByRole('heading', { name: 'Property Required', exact: true }))
  await page.getByRole('switch', { name: 'Positive alerts', exact: true }).click()
  await page.getByRole('button', { name: 'Save Settings', exact: true }).click()
  await expectToast(page, 'success', 'Settings Saved')
  expect(kept.settings).toMatchObject({ positiveAlerts: true, emailEnabled: true })

  await page.goto('/dashboard')
  const widget = page.getByRole('region', { name: 'Manual Alert Evaluation', exact: true })
  await expectDisabled(widget.getByRole('button', { name: 'Evaluate Alerts', exact: true }))
  await widget.getByRole('button', { name: 'Test Email', exact: true }).click()
  await expectToast(page, 'success', 'Test email sent', 'Email sent successfully to new@example.test')
})

test("it isn't shown to users with a property", async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/alerts')
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Active Alerts' }))
  await expectCount(page.getByText('Property Required'), 0)
})
