import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { launchChromium } from './browser-chromium.ts'
import type { Visitor } from './visitor.ts'

export type VisitOptions = {
  width?: number
  height?: number
  /** What the person chose under "Theme"; nothing by default. */
  theme?: 'light' | 'dark' | 'system'
  /** What the operating system is set to. */
  systemTheme?: 'light' | 'dark'
  touch?: boolean
}

export type TestBrowser = {
  /** Opens an address of the app in a browser of its own, as somebody who has never been there. */
  visit(address: string, options?: VisitOptions): Promise<Page>
  /** The same with the session of a visitor who is signed in. */
  visitAs(visitor: Visitor, address: string, options?: VisitOptions): Promise<Page>
  close(): Promise<void>
}

/** One Chromium for the tests of a file. Every page is closed with its test, which fails when the console had something to complain about. */
export async function openBrowser(app: TestApp): Promise<TestBrowser> {
  const chromium = await launchChromium()

  async function visit(cookies: ReadonlyMap<string, string>, address: string, options: VisitOptions = {}): Promise<Page> {
    const context = await chromium.newContext(contextOptions(app, options))
    context.setDefaultTimeout(15_000)
    // The person's clock goes by the server's, or else "Today" would lie years apart.
    await context.clock.setFixedTime(app.google.now())
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: app.url })))
    const page = await context.newPage()
    if (options.theme) await chooseTheme(page, options.theme)
    const complaints = complaintsOf(page)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await photograph(page)
      await context.close()
      expect(complaints).toEqual([])
    })
    await page.goto(address)
    return page
  }

  return {
    visit: (address, options) => visit(new Map(), address, options),
    visitAs: (visitor, address, options) => visit(visitor.cookies, address, options),
    close: () => chromium.close(),
  }
}

function contextOptions(app: TestApp, options: VisitOptions): BrowserContextOptions {
  return {
    baseURL: app.url,
    viewport: { width: options.width ?? 1_280, height: options.height ?? 800 },
    colorScheme: options.systemTheme ?? 'light',
    // Nothing is measured while it moves.
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
    locale: 'en-GB',
    timezoneId: 'UTC',
  }
}

/** As if chosen on an earlier visit; a choice made in the test itself stays. */
async function chooseTheme(page: Page, theme: string): Promise<void> {
  await page.addInitScript((chosen) => {
    if (localStorage.getItem('ranklark-ui-theme') === null) localStorage.setItem('ranklark-ui-theme', chosen)
  }, theme)
}

/**
 * What the console and the content security policy say against a page. A call of the API that is refused is no complaint:
 * what a screen makes of it is what tests look at.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    const refused = message.text().startsWith('Failed to load resource') && message.location().url.includes('/api/')
    if (['error', 'warning', 'assert'].includes(message.type()) && !refused) complaints.push(`${message.type()}: ${message.text()}`)
  })
  return complaints
}

/** What a failed test had on screen, for whoever looks into it. */
async function photograph(page: Page): Promise<void> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'ranklark-failed-')), 'screen.png')
  await page.screenshot({ path: file, fullPage: true }).catch(() => {})
  process.stderr.write(`On screen: ${file} (${page.url()})\n`)
}
