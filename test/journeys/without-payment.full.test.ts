// The whole way through an installation that was given only Google's keys (OPEN-POINTS 24).
import { expectAddress, expectToast, expectVisible } from '../support/browser-expect.ts'
import { startTestApp } from '../support/app.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { expectNothingSold } from '../support/nothing-sold.ts'

// An empty variable counts as absent.
const nothingElse = {
  SMTP_URL: '',
  MAIL_FROM: '',
  TWILIO_ACCOUNT_SID: '',
  TWILIO_AUTH_TOKEN: '',
  TWILIO_FROM: '',
  WEBHOOK_PRIVATE_HOSTS: '',
}
const test = journeyTest({}, () => startTestApp({ today: '2026-03-18', demo: false, stripe: false, env: nothingElse }))

test('a visitor registers, connects 30 sites, selects Slack and instant alerts, and never sees a price', async ({ app, visit }) => {
  const sites = Array.from({ length: 30 }, (_, index) => `https://site-${index + 1}.example/`)
  await app.google.account('olive@example.test', Object.fromEntries(sites.map((site) => [site, 'empty' as const])))
  const page = await visit('/', { newHere: true })
  await expectVisible(page.getByRole('heading', { level: 1, name: 'SEO insights that find you' }))
  await expectNothingSold(page)
  await page.getByRole('link', { name: 'Sign up', exact: true }).click()
  const fields = { Username: 'olive', Email: 'olive@example.test', Password: 'a-good-password', 'Confirm password': 'a-good-password' }
  for (const [label, value] of Object.entries(fields)) await page.getByRole('textbox', { name: label, exact: true }).fill(value)
  await expectNothingSold(page)
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expectAddress(page, '/onboarding/sites')
  await expectNothingSold(page)
  await page.getByRole('button', { name: 'Connect Google Search Console' }).click()
  await page.getByRole('radio', { name: 'olive@example.test' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'success', 'Connected Successfully')
  for (const site of sites) await page.getByRole('checkbox', { name: site, exact: true }).check()
  await expectVisible(page.getByText('30 of 30 sites selected', { exact: true }))
  await expectNothingSold(page)
  await page.getByRole('button', { name: 'Complete Setup' }).click()

  await expectAddress(page, '/dashboard')
  const welcome = page.getByRole('dialog')
  for (let step = 1; step <= 4; step += 1) {
    await expectVisible(welcome.getByText(`Step ${step} of 4`))
    await expectNothingSold(page)
    await welcome.getByRole('button', { name: step < 4 ? 'Next' : 'Get Started' }).click()
  }
  await expectVisible(page.getByText('30 sites monitored', { exact: true }))
  await expectNothingSold(page)

  await page.getByRole('navigation').getByRole('link', { name: 'Alert Settings' }).click()
  const slack = page.getByRole('region', { name: 'Slack', exact: true })
  await slack.getByRole('switch', { name: 'Slack', exact: true }).click()
  await slack.getByRole('textbox', { name: 'Webhook' }).fill(app.slack.hookUrl('T00000001/B00000001/abcdefghijklmnopqrstuvwx'))
  await slack.getByRole('button', { name: 'Connect', exact: true }).click()
  await expectToast(page, 'success', 'Slack Connected')
  await page.getByRole('combobox', { name: 'Frequency' }).click()
  await page.getByRole('option', { name: 'Instant alerts' }).click()
  await page.getByRole('button', { name: 'Save Settings' }).first().click()
  await expectToast(page, 'success', 'Settings Saved')
  await expectNothingSold(page)

  await page.reload()
  await slack.getByRole('button', { name: 'Send test message' }).click()
  await expectToast(page, 'success', 'Test message sent')
  expect((await app.slack.message()).shown.text).toContain('test')
  await expectVisible(page.getByRole('combobox', { name: 'Frequency' }).getByText('Instant alerts'))
  for (const address of ['/settings', '/account', '/reports?tab=schedules', '/developers', '/onboarding/plan', '/onboarding/payment']) {
    await page.goto(address)
    await expectVisible(page.getByRole('heading', { level: 1 }))
    await expectNothingSold(page)
  }
})
