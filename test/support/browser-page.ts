import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
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
  /** A browser with an empty cache: for tests of what is fetched, and how soon it is painted. */
  emptyCache?: boolean
}

/** A page in a browser of its own, with these cookies and nothing else; the caller closes its context. */
export async function openPage(chromium: Browser, place: Place, options: VisitOptions): Promise<Page> {
  return preparePage(await newPage(chromium, place, options), place, options)
}

/** A page of a context of its own, with all that cannot be changed in it afterwards. */
export async function newPage(chromium: Browser, { url, now }: Place, options: VisitOptions): Promise<Page> {
  const context = await chromium.newContext({
    baseURL: url,
    deviceScaleFactor: options.scale ?? 1,
    hasTouch: options.touch ?? false,
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  context.setDefaultTimeout(15_000)
  // The person's clock goes by the server's, or else "Today" would lie years apart.
  await context.addInitScript(standStill, now.getTime())
  if (!options.prefetches) await context.addInitScript(saveData)
  return context.newPage()
}

/** Where a page is while nobody looks: at an address of its origin that is no page. */
export const restingPlace = ({ url }: Place): string => `${url}/favicon.svg`

/** Makes a page that knows nothing yet the one of whoever visits this place. */
export async function preparePage(page: Page, place: Place, options: VisitOptions): Promise<Page> {
  const { url, cookies = new Map() } = place
  await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
  await page.setViewportSize({ width: options.width ?? 1_280, height: options.height ?? 800 })
  // Nothing is looked at while it moves.
  await page.emulateMedia({ colorScheme: options.systemTheme ?? 'light', reducedMotion: 'reduce' })
  const kept = { ...(!options.newHere && welcomed), ...(options.theme && { 'ranklark-ui-theme': options.theme }) }
  // Storage is written before the app looks into it.
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

/** Stops the page's clock at a time, and leaves its timers alone. Playwright's own clock would take part in every one of them. */
function standStill(at: number): void {
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [at] : args, made),
    apply: () => new RealDate(at).toString(),
    get: (target, name) => (name === 'now' ? () => at : Reflect.get(target, name)),
  })
}

/** What the app asks of the browser before it fetches the code of screens that nobody may open. */
function saveData(): void {
  Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } })
}

/**
 * Ends the use of a page with its test, which fails when the console had something to complain about; a failed one leaves a
 * picture.
 */
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
    // A process that has shown the app before has the font in its memory, and no use for the one it fetches ahead of the style.
    const known = /\.woff2 was preloaded .* but not used/.test(message.text())
    if (['error', 'warning', 'assert'].includes(message.type()) && !refused && !offline && !known)
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  return complaints
}
