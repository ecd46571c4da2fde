import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'

/** What a page is opened at: an address, the time it is there, and who comes. */
export type Place = { url: string; now: Date; cookies?: ReadonlyMap<string, string> }

export type VisitOptions = {
  width?: number
  height?: number
  /** What the person chose under "Theme" on an earlier visit; nothing by default. */
  theme?: 'light' | 'dark' | 'system'
  /** What the operating system is set to. */
  systemTheme?: 'light' | 'dark'
  touch?: boolean
  /** Has never seen the welcome dialog; everybody else has, or it would lie over every dashboard. */
  newHere?: boolean
  /** Pixels of the screen for each one of the page. */
  scale?: number
  /** Fetches the code of other screens while nothing else goes on, as browsers of people who do not save data do. */
  prefetches?: boolean
}

/** A page in a browser of its own, with these cookies and nothing else; the caller closes its context. */
export async function openPage(chromium: Browser, { url, now, cookies = new Map() }: Place, options: VisitOptions): Promise<Page> {
  const context = await chromium.newContext(contextOptions(url, options))
  context.setDefaultTimeout(15_000)
  // The person's clock goes by the server's, or else "Today" would lie years apart.
  await context.clock.setFixedTime(now)
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
  const page = await context.newPage()
  if (!options.prefetches) await page.addInitScript(saveData)
  if (options.theme) await chooseTheme(page, options.theme)
  return page
}

const welcomed = { name: 'ranklark_onboarding_completed', value: 'true' }

function contextOptions(url: string, options: VisitOptions): BrowserContextOptions {
  return {
    baseURL: url,
    viewport: { width: options.width ?? 1_280, height: options.height ?? 800 },
    deviceScaleFactor: options.scale ?? 1,
    colorScheme: options.systemTheme ?? 'light',
    // Nothing is looked at while it moves.
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
    ...(!options.newHere && { storageState: { cookies: [], origins: [{ origin: url, localStorage: [welcomed] }] } }),
    locale: 'en-GB',
    timezoneId: 'UTC',
  }
}

/** What the app asks of the browser before it fetches the code of screens that nobody may open. */
function saveData(): void {
  Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } })
}

/** A choice made in the test itself stays. */
async function chooseTheme(page: Page, theme: string): Promise<void> {
  await page.addInitScript((chosen) => {
    if (localStorage.getItem('ranklark-ui-theme') === null) localStorage.setItem('ranklark-ui-theme', chosen)
  }, theme)
}

/** Closes a page with its test, which fails when the console had something to complain about; a failed one leaves a picture. */
export function watch(page: Page, onTestFinished: TestContext['onTestFinished']): void {
  const complaints = complaintsOf(page)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await photograph(page)
    await page.context().close()
    expect(complaints).toEqual([])
  })
}

/** What a failed test had on screen, for whoever looks into it. */
async function photograph(page: Page): Promise<void> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'ranklark-failed-')), 'screen.png')
  await page.screenshot({ path: file, fullPage: true }).catch(() => {})
  process.stderr.write(`On screen: ${file} (${page.url()})\n`)
}

/**
 * What the console and the content security policy say against a page. A call of our API or Stripe's that is refused is no complaint:
 * what a screen makes of it is what tests look at. Nor is it one that nothing can be fetched while a test has taken the network away:
 * the code of other screens is on its way at any time.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const { url } = message.location()
    // An address without a screen is answered 404, too.
    const failed = message.text().startsWith('Failed to load resource')
    const refused = failed && (/\/(api|v1)\//.test(url) || url === page.url())
    const offline = failed && message.text().includes('ERR_INTERNET_DISCONNECTED')
    if (['error', 'warning', 'assert'].includes(message.type()) && !refused && !offline)
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  return complaints
}
