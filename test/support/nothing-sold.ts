import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Every word that only somebody who sells something would use, as the screens of an installation with payment use them. */
const sold =
  /\b[Pp]lans?\b|[Uu]pgrade|\b[Pp]rices?\b|[Pp]ricing|\$\s?\d|\bFree\b|\bPro\b|\bAgency\b|\b[Ss]tripe\b|[Ss]ubscription|[Pp]ayment|[Bb]illing/

/** Nothing on the page, once all of it is there, names a plan, a price or a payment. */
export async function expectNothingSold(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  expect((await page.locator('body').innerText()).match(sold)?.[0] ?? null, `on ${page.url()}`).toBeNull()
}
