import type { Page } from 'playwright-core'
import { launchChromium } from '../test/support/browser-chromium.ts'
import { startShortDemo } from '../test/support/browser-demo.ts'
import { openPage } from '../test/support/browser-page.ts'
import { type Figure, percentile } from './support.ts'
import { buildWeb } from './web.ts'

const rounds = 25
const bar = 100

/**
 * From the click on a sidebar entry until its screen is painted, in a real browser on the demo's data; every screen has been opened before,
 * so that its code and figures are loaded.
 */
export async function benchNavigation(): Promise<Figure[]> {
  await buildWeb()
  const [app, chromium] = await Promise.all([startShortDemo(), launchChromium()])
  try {
    const { cookies } = await app.demo()
    const page = await openPage(chromium, { url: app.url, now: app.google.now(), cookies: cookies }, { width: 1_440, height: 900 })
    await page.goto('/dashboard')
    await page.getByText('complete through').waitFor()
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    const screens = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    // Warm: every screen has its figures and has been rendered.
    for (const path of screens) {
      await page.locator(`nav a[href="${path}"]`).click()
      await page.waitForURL((url) => url.pathname === path)
      await page.waitForLoadState('networkidle')
    }
    const taken = new Map<string, number[]>(screens.map((path) => [path, []]))
    for (let round = 0; round < rounds; round++) {
      for (const path of screens) taken.get(path)?.push(await timeClick(page, path))
    }
    return screens.map((path) => {
      const sample = taken.get(path) ?? []
      const p95 = percentile(sample, 0.95)
      return {
        what: `from a click in the sidebar to ${path} on screen, warm: p95 of ${rounds} (p50 ${percentile(sample, 0.5).toFixed(0)} ms)`,
        value: `${p95.toFixed(0)} ms`,
        bar: `≤ ${bar} ms`,
        met: p95 <= bar,
      }
    })
  } finally {
    await chromium.close()
    await app.close()
  }
}

/** Milliseconds from a real click to the paint of the frame with the screen's title and nothing still loading. */
async function timeClick(page: Page, path: string): Promise<number> {
  const link = page.locator(`nav a[href="${path}"]`)
  // The pointer is there before it clicks, as with a hand.
  await link.hover()
  const measured = page.evaluate((address) => {
    const isThere = (): boolean => {
      const has = (what: string): boolean => document.querySelector(`main :is(${what})`) !== null
      return location.pathname === address && has('h1') && !has('[aria-busy=true], .animate-pulse')
    }
    return new Promise<number>((resolve) => {
      addEventListener(
        'click',
        ({ timeStamp }) => {
          const before = document.querySelector('main')?.firstElementChild
          const look = (): void => {
            // The previous content is gone, too.
            const isNew = document.querySelector('main')?.firstElementChild !== before
            if (!isThere() || !isNew) requestAnimationFrame(look)
            // This frame is painted next; a message is delivered after that.
            else afterPaint(() => resolve(performance.now() - timeStamp))
          }
          look()
        },
        { capture: true, once: true },
      )
    })

    function afterPaint(then: () => void): void {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => then())
      port1.start()
      port2.postMessage(null)
    }
  }, path)
  await link.click()
  return measured
}
