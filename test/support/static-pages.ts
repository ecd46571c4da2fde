import type { Page, Request } from 'playwright-core'
import type { VisitOptions } from './browser-page.ts'

export type Open = (address: string, options?: VisitOptions) => Promise<Page>

export const articles = ['/help', '/privacy', '/terms'] as const
/** What exists without the app: static pages. */
export const staticPages = ['/', ...articles, '/api/docs'] as const

/** Opens a page and waits until it is complete. */
export async function visit(open: Open, address: string, options: VisitOptions = {}): Promise<Page> {
  const page = await open(address, options)
  await page.waitForLoadState()
  return page
}

/** The same, and its requests to the server. */
export async function visitListening(open: Open, address: string, options: VisitOptions): Promise<{ page: Page; requests: Request[] }> {
  // Any URL that isn't a page: listening starts before the visit.
  const page = await visit(open, '/favicon.svg', options)
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.goto(address)
  return { page, requests }
}

export const pathOfRequest = (request: Request): string => new URL(request.url()).pathname

/** Down to the end, so that everything lazy is loaded. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += 400) {
      scrollTo({ top, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
    }
  })
  await page.waitForFunction(() => [...document.images].every((image) => image.complete || !image.checkVisibility()))
}

/** Text that extends beyond a box that clips it. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *, header *, footer *')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only, svg'))
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 120)),
  )
}

/** When the largest part of a page was painted, and the total layout shift. */
export function vitalsOf(page: Page): Promise<{ largestPaint: number; shift: number }> {
  return page.evaluate(async () => {
    const seen = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries()))
        observer.observe({ type, buffered: true })
        // Without layout shifts there is nothing to wait for.
        setTimeout(() => resolve(observer.takeRecords()), 500)
      })
    const [paints, shifts] = await Promise.all([seen('largest-contentful-paint'), seen('layout-shift')])
    const valueOf = (entry: PerformanceEntry) => ('value' in entry && typeof entry.value === 'number' ? entry.value : 0)
    return { largestPaint: paints.at(-1)?.startTime ?? 0, shift: shifts.reduce((sum, entry) => sum + valueOf(entry), 0) }
  })
}
