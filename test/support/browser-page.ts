import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'

/** Where and when a page is opened, and by whom. */
export type Place = { url: string; now: Date; cookies?: ReadonlyMap<string, string> }

export type VisitOptions = {
  width?: number
  height?: number
  /** The earlier choice under "Theme"; none by default. */
  theme?: 'light' | 'dark' | 'system'
  /** The operating system's setting. */
  systemTheme?: 'light' | 'dark'
  touch?: boolean
  /** Has never seen the welcome dialog; everybody else has, or it would cover every dashboard. */
  newHere?: boolean
  /** Device pixels per CSS pixel. */
  scale?: number
  /** Prefetches the code of other screens when idle, as for users who don't save data. */
  prefetches?: boolean
  /** A browser with an empty cache: for tests of what is fetched, and how soon it is painted. */
  emptyCache?: boolean
}

/** A page in a separate browser context, with only these cookies; the caller closes its context. */
export async function openPage(chromium: Browser, place: Place, options: VisitOptions): Promise<Page> {
  return preparePage(await newPage(chromium, place, options), place, options)
}

/** A page in its own context, with everything that can't be changed later. */
export async function newPage(chromium: Browser, { url, now }: Place, options: VisitOptions): Promise<Page> {
  const context = await chromium.newContext({
    baseURL: url,
    deviceScaleFactor: options.scale ?? 1,
    hasTouch: options.touch ?? false,
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(15_000)
  // The user's clock follows the server's, or else "Today" would be years apart.
  await context.addInitScript(standStill, now.getTime())
  if (!options.prefetches) await context.addInitScript(saveData)
  return context.newPage()
}

/** Where idle pages are: at a URL of their origin that isn't a page. */
export const restingPlace = ({ url }: Place): string => `${url}/favicon.svg`

/** Prepares a fresh page for a visitor of this place. */
export async function preparePage(page: Page, place: Place, options: VisitOptions): Promise<Page> {
  const { url, cookies = new Map() } = place
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
  await page.setViewportSize({ width: options.width ?? 1_280, height: options.height ?? 800 })
  // No test looks at anything while it moves.
  await page.emulateMedia({ colorScheme: options.systemTheme ?? 'light', reducedMotion: 'reduce' })
  const kept = { ...(!options.newHere && welcomed), ...(options.theme && { 'ranklark-ui-theme': options.theme }) }
  // Storage is written before the app reads it.
  const rest = restingPlace(place)
  if (page.url() !== rest) await page.goto(rest)
  await page.evaluate((values) => {
    sessionStorage.clear()
    localStorage.clear()
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value)
  }, kept)
  return page
}

const welcomed = { ranklark_onboarding_completed: 'true' }

/** Freezes the page's clock without affecting its timers. Playwright's own clock would intercept all of them. */
function standStill(at: number): void {
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [at] : args, made),
    apply: () => new RealDate(at).toString(),
    get: (target, name) => (name === 'now' ? () => at : Reflect.get(target, name)),
  })
}

/** The browser setting that the app checks before it prefetches screens. */
function saveData(): void {
  Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } })
}

/** Ends the use of a page with its test, which fails if there were console errors; a failed test leaves a screenshot. */
export function watch(
  page: Page,
  onTestFinished: TestContext['onTestFinished'],
  done: (page: Page) => Promise<void> = (finished) => finished.context().close(),
): void {
  const complaints = complaintsOf(page)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await photograph(page)
      await page.context().close()
    } else await done(page)
    expect(complaints).toEqual([])
  })
}

/** A failed test's screen, for debugging. */
async function photograph(page: Page): Promise<void> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'ranklark-failed-')), 'screen.png')
  await page.screenshot({ path: file, fullPage: true }).catch(() => {})
  process.stderr.write(`On screen: ${file} (${page.url()})\n`)
}

/**
 * Errors from the console and the content security policy. Refused calls to our API or Stripe's don't count: tests check how screens handle
 * them. Nor do failed fetches while a test has the network off: the code of other screens may be loading at any time.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const { url } = message.location()
    // A URL without a screen also returns 404.
    const failed = message.text().startsWith('Failed to load resource')
    const refused = failed && (/\/(api|v1)\//.test(url) || url === page.url())
    const offline = failed && message.text().includes('ERR_INTERNET_DISCONNECTED')
    // A process that has shown the app before has the font in memory, and doesn't need the one it preloads.
    const known = /\.woff2 was preloaded .* but not used/.test(message.text())
    if (['error', 'warning', 'assert'].includes(message.type()) && !refused && !offline && !known)
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  return complaints
}
