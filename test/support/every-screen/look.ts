import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Desk } from '../answers/desk.ts'
import type { VisitOptions } from '../browser-page.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers, unreadable } from '../browser-accessible.ts'
import type { Screen } from './screen.ts'

type Stage = { desk: Desk; open: (address: string, options?: VisitOptions) => Promise<Page> }

async function show({ answers, address, see }: Screen, { desk, open }: Stage): Promise<Page> {
  answers(desk)
  const page = await open(address, { theme: 'light' })
  await see(page)
  return page
}

async function expectWithin(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expectWithinWindow(page)
  }
}

/** No word is cut off or below another. */
async function expectReadable(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    // A resized window is laid out again a moment later.
    await expect.poll(() => unreadable(page), { timeout: 2_000, message: `at ${width} px` }).toEqual([])
  }
}

/** What every run checks on each screen: one theme, at the widths of a desktop, a tablet and a phone. */
export async function lookAt(screen: Screen, stage: Stage): Promise<void> {
  const page = await show(screen, stage)
  await expectAccessible(page)
  await expectWithin(page, [1440, 1024, 375])
}

/** Both themes, every width, and touch targets. */
export async function lookCloselyAt(screen: Screen, stage: Stage): Promise<void> {
  await expectFine(await show(screen, stage))
}

/** All of that for a page that is open in the light theme. */
export async function expectFine(page: Page): Promise<void> {
  const opened = page.viewportSize()
  await expectAccessible(page)
  await expectReadable(page, [1440, 1024, 768, 375])
  if (opened) await page.setViewportSize(opened)
  await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
  await expectAccessible(page, ['color-contrast'])
  await expectReadable(page, [1440, 1024, 768, 375])
  await page.evaluate(() => document.documentElement.classList.replace('dark', 'light'))
  await expectWithin(page, [1920, 1440, 1024, 768, 640, 320])
  await page.setViewportSize({ width: 375, height: 812 })
  await expectWithinWindow(page)
  await expectAccessible(page)
  expect(await tooSmallForFingers(page)).toEqual([])
}

const mostShift = 0.02
/** Long enough to paint what has arrived. */
const settleMillis = 700

/** Notices that are only known after the screen: from the next visit on, their room is kept for them. */
const lateNotice = /^(Connection|Payment|Time zone|\w+ alerts)$/

/** All answers have arrived, and the page shows them: on a busy machine it may still be at work when its requests have been quiet for a while. */
async function isPainted(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => requestAnimationFrame(() => setTimeout(resolve)))))
}

/** Nothing that somebody already sees moves while the rest of a screen arrives. */
export async function expectStill(screen: Screen, stage: Stage, width: number): Promise<void> {
  screen.answers(stage.desk)
  const page = await stage.open(screen.address, { width, height: 900 })
  await isPainted(page)
  if ((await page.getByRole('region', { name: lateNotice }).count()) > 0) {
    await page.reload()
    await isPainted(page)
  }
  const moved = await page.evaluate(
    (wait) =>
      new Promise<{ shift: number; what: string[] }>((resolve) => {
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
        const seen: Shift[] = []
        new PerformanceObserver((list) => seen.push(...(list.getEntries() as Shift[]))).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => {
          const shifts = seen.filter(({ hadRecentInput }) => !hadRecentInput)
          const what = shifts.flatMap(({ sources }) =>
            sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement)?.outerHTML.slice(0, 150) ?? ''),
          )
          resolve({ shift: shifts.reduce((sum, { value }) => sum + value, 0), what })
        }, wait)
      }),
    settleMillis,
  )
  expect(moved.shift, `moved: ${moved.what.join(' | ')}`).toBeLessThanOrEqual(mostShift)
}
