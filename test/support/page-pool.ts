import type { Browser, Page } from 'playwright-core'
import { newPage, type Place, preparePage, restingPlace, type VisitOptions } from './browser-page.ts'

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
  const taken = new WeakMap<Page, { kind: string; place: Place }>()

  return {
    async take(place, options) {
      const { touch = false, scale = 1, prefetches = false, emptyCache = false } = options
      const kind = emptyCache ? undefined : JSON.stringify([place.url, place.now, touch, scale, prefetches])
      const page = (kind !== undefined && idle.get(kind)?.pop()) || (await newPage(chromium, place, options))
      if (kind !== undefined) taken.set(page, { kind, place })
      return preparePage(page, place, options)
    },
    async giveBack(page) {
      const known = taken.get(page)
      const context = page.context()
      if (known === undefined) return context.close()
      // Only what tests listen to: Playwright itself listens to the rest, and could not even close the page without.
      for (const event of listenedTo) page.removeAllListeners(event)
      for (const other of context.pages()) if (other !== page) await other.close()
      // What it is still about to ask for ends here, while the test's routes hold. On about:blank its process would end, too.
      const rests = await page.goto(restingPlace(known.place)).then(
        () => true,
        () => false,
      )
      // It was on its way to somewhere else, or without a network.
      if (!rests) return context.close()
      await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()])
      await context.clearCookies()
      idle.set(known.kind, [...(idle.get(known.kind) ?? []), page])
    },
  }
}
