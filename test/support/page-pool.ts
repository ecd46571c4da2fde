import type { Browser, Page } from 'playwright-core'
import { newPage, type Place, preparePage, restingPlace, type VisitOptions } from './browser-page.ts'

/** Pages reused by one test after another. */
export type PagePool = {
  /** A page of a new visitor, except that its cache is warm. */
  take(place: Place, options: VisitOptions): Promise<Page>
  /** Call this when its test is over. */
  giveBack(page: Page): Promise<void>
}

const listenedTo = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed']

/**
 * An existing page opens a screen in half the time of a new one: its process runs, and has compiled the app's code. What a test left in it
 * (storage, cookies, routes, listeners, other pages) is removed before the next.
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
      // Only events that tests listen to: Playwright itself needs the others, and couldn't even close the page without them.
      for (const event of listenedTo) page.removeAllListeners(event)
      for (const other of context.pages()) if (other !== page) await other.close()
      // Its pending requests end here, while the test's routes apply. On about:blank its process would end, too.
      const rests = await page.goto(restingPlace(known.place)).then(
        () => true,
        () => false,
      )
      // It was navigating elsewhere, or offline.
      if (!rests) return context.close()
      await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false), context.clearPermissions()])
      await context.clearCookies()
      idle.set(known.kind, [...(idle.get(known.kind) ?? []), page])
    },
  }
}
