import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { launchChromium } from './browser-chromium.ts'
import { type DemoOptions, startShortDemo } from './browser-demo.ts'
import { complaintsOf, openPage, type VisitOptions } from './browser-page.ts'
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

  /** Every page is closed with its test, which fails when the console had something to complain about. */
  async function visit(cookies: ReadonlyMap<string, string>, address: string, options: VisitOptions = {}): Promise<Page> {
    const page = await openPage(chromium, app, cookies, options)
    const complaints = complaintsOf(page)
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await photograph(page)
      await page.context().close()
      expect(complaints).toEqual([])
    })
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

/** What a failed test had on screen, for whoever looks into it. */
async function photograph(page: Page): Promise<void> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'ranklark-failed-')), 'screen.png')
  await page.screenshot({ path: file, fullPage: true }).catch(() => {})
  process.stderr.write(`On screen: ${file} (${page.url()})\n`)
}
