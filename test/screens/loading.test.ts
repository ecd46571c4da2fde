// How the app starts loading, and what it shows if that fails.
import type { Page } from 'playwright-core'
import { twelveAlerts } from '../support/answers/alerts.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top)
  expect(await scrolled(page)).toBe(top)
}

test('a fresh load starts at the top; going back and reloading restore the scroll position', { tags: ['full'] }, async ({ desk, open }) => {
  keepAlerts(desk, twelveAlerts())
  const page = await open('/alerts')
  // The alert is what arrives last above the fold, and it may make its row taller.
  const ready = () => expectVisible(page.getByRole('article').first())
  await ready()
  await scrollTo(page, 400)
  await page.goto('/dashboard')
  await ready()
  expect(await scrolled(page)).toBe(0)
  await scrollTo(page, 300)
  await page.goto('/alerts?view=cards')
  await ready()
  expect(await scrolled(page)).toBe(0)
  await scrollTo(page, 200)
  await page.reload()
  await ready()
  await expect.poll(() => scrolled(page)).toBe(200)
  await page.goBack()
  await ready()
  await expect.poll(() => scrolled(page)).toBe(300)
})
