import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { launchChromium } from './browser-chromium.ts'
import { type DemoOptions, startShortDemo } from './browser-demo.ts'
import { openPage, type VisitOptions, watch } from './browser-page.ts'
import type { Visitor } from './visitor.ts'

export type { VisitOptions } from './browser-page.ts'

export type TestBrowser = {
  /** Opens an address of the app in a browser of its own, as somebody who has never been there. */
  visit(address: string, options?: VisitOptions): Promise<Page>
  /** The same with the session of a visitor who is signed in. */
  visitAs(visitor: Visitor, address: string, options?: VisitOptions): Promise<Page>
}

export type DemoInBrowser = { app: TestApp; browser: TestBrowser; close(): Promise<void> }

/** A demo, all of whose data is there unless the options say otherwise, and one Chromium for the tests of a file. */
export async function startDemoInBrowser(wanted: DemoOptions = {}): Promise<DemoInBrowser> {
  const [app, chromium] = await Promise.all([startShortDemo(wanted), launchChromium()])

  async function visit(cookies: ReadonlyMap<string, string>, address: string, options: VisitOptions = {}): Promise<Page> {
    const page = await openPage(chromium, { url: app.url, now: app.google.now(), cookies }, options)
    watch(page, onTestFinished)
    await page.goto(address)
    return page
  }

  return {
    app,
    browser: {
      visit: (address, options) => visit(new Map(), address, options),
      visitAs: (visitor, address, options) => visit(visitor.cookies, address, options),
    },
    async close() {
      await chromium.close()
      await app.close()
    },
  }
}
