import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Every word that only a seller would use, as in the screens of an installation with payment. */
const sold =
  /\b[Pp]lans?\b|[Uu]pgrade|\b[Pp]rices?\b|[Pp]ricing|\$\s?\d|\bFree\b|\bPro\b|\bAgency\b|\b[Ss]tripe\b|[Ss]ubscription|[Pp]ayment|[Bb]illing/

/** Nothing on the complete page names a plan, a price or a payment. */
export async function expectNothingSold(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  expect((await page.locator('body').innerText()).match(sold)?.[0] ?? null, `on ${page.url()}`).toBeNull()
}
