import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { launchChromium } from '../support/browser-chromium.ts'
import { expectAddress, expectToast, expectVisible } from '../support/browser-expect.ts'
import { openPage } from '../support/browser-page.ts'
import { registered } from '../support/people.ts'

let app: TestApp
let chromium: Browser
beforeAll(async () => {
  ;[app, chromium] = await Promise.all([startTestApp({ stripe: false, today: '2026-03-18' }), launchChromium()])
})
afterAll(async () => {
  await chromium.close()
  await app.close()
})

test('an installation that takes no cards says so, with the way back to Free', async () => {
  const { cookies } = await registered(app, 'barbara')
  const page = await openPage(chromium, { url: app.url, now: app.google.now(), cookies: cookies }, {})
  await page.goto('/onboarding/plan')
  await page.getByRole('article', { name: 'Pro' }).getByRole('button', { name: 'Select Plan' }).click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Card payment is not set up here' }))
  await page.getByRole('button', { name: 'Continue with Free' }).click()
  await expectToast(page, 'success', 'Plan Selected', 'Your free plan has been activated.')
  await expectAddress(page, '/onboarding/sites')
})
