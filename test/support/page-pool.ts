import type { Browser, Page } from 'playwright-core'
import { newPage, type Place, preparePage, type VisitOptions } from './browser-page.ts'

/** Pages that one test after the other uses. */
export type PagePool = {
  /** A page of somebody who has never been there, except that its cache is warm. */
  take(place: Place, options: VisitOptions): Promise<Page>
  /** To be called when its test is over. */
  giveBack(page: Page): Promise<void>
}

const listenedTo = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed']

/**
 * A page that is there already opens a screen in half the time of a new one: its process runs, and has the app's code
 * compiled. What a test left in it (storage, cookies, routes, listeners, other pages) is removed before the next.
 */
export function createPagePool(chromium: Browser): PagePool {
  const idle = new Map<string, Page[]>()
  const kinds = new WeakMap<Page, string>()

  return {
    async take(place, options) {
      const { touch = false, scale = 1, prefetches = false, emptyCache = false } = options
      const kind = emptyCache ? undefined : JSON.stringify([place.url, place.now, touch, scale, prefetches])
      const page = (kind !== undefined && idle.get(kind)?.pop()) || (await newPage(chromium, place, options))
      if (kind !== undefined) kinds.set(page, kind)
      return preparePage(page, place, options)
    },
    async giveBack(page) {
      const kind = kinds.get(page)
      const context = page.context()
      if (kind === undefined) return context.close()
      // Only what tests listen to: Playwright itself listens to the rest, and could not even close the page without.
      for (const event of listenedTo) page.removeAllListeners(event)
      for (const other of context.pages()) if (other !== page) await other.close()
      // What it is still about to ask for ends here, while the test's routes hold.
      const isBlank = await page.goto('about:blank').then(
        () => true,
        () => false,
      )
      // It was on its way to somewhere else.
      if (!isBlank) return context.close()
      await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()])
      await context.clearCookies()
      idle.set(kind, [...(idle.get(kind) ?? []), page])
    },
  }
}
