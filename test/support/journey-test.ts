import type { Page } from 'playwright-core'
import type { TestApp } from './app.ts'
import { type DemoOptions, startShortDemo } from './browser-demo.ts'
import { openPage, type VisitOptions, watch } from './browser-page.ts'
import { chromiumTest } from './chromium-test.ts'
import type { Visitor } from './visitor.ts'

export { expect } from 'vitest'

/**
 * Journeys through the whole product: `app` is the file's own demo, with all of its data unless the options say otherwise. `visit` opens a
 * URL as a new visitor, `visitAs` with a visitor's session.
 */
export const journeyTest = (wanted: DemoOptions = {}, start: (wanted: DemoOptions) => Promise<TestApp> = startShortDemo) =>
  chromiumTest
    .extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
      const app = await start(wanted)
      onCleanup(() => app.close())
      return app
    })
    .extend(
      'visitAs',
      ({ chromium, app, onTestFinished }) =>
        async (visitor: Visitor | null, address: string, options: VisitOptions = {}) => {
          const cookies = visitor?.cookies ?? new Map<string, string>()
          const page: Page = await openPage(chromium, { url: app.url, now: app.google.now(), cookies }, options)
          watch(page, onTestFinished)
          await page.goto(address)
          return page
        },
    )
    .extend(
      'visit',
      ({ visitAs }) =>
        (address: string, options: VisitOptions = {}) =>
          visitAs(null, address, options),
    )
