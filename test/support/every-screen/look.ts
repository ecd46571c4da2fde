import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Desk } from '../answers/desk.ts'
import type { VisitOptions } from '../browser-page.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../browser-accessible.ts'
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

/** What is looked at of each screen in every run: one theme, and as wide as a desk, a tablet and a phone. */
export async function lookAt(screen: Screen, stage: Stage): Promise<void> {
  const page = await show(screen, stage)
  await expectAccessible(page)
  await expectWithin(page, [1440, 1024, 375])
}

/** Either theme, every width, and what a finger can hit. */
export async function lookCloselyAt(screen: Screen, stage: Stage): Promise<void> {
  await expectFine(await show(screen, stage))
}

/** All of that for a page that is open in the light theme. */
export async function expectFine(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'))
  await expectAccessible(page, ['color-contrast'])
  await page.evaluate(() => document.documentElement.classList.replace('dark', 'light'))
  await expectWithin(page, [1920, 1440, 1024, 768, 640, 320])
  await page.setViewportSize({ width: 375, height: 812 })
  await expectWithinWindow(page)
  await expectAccessible(page)
  expect(await tooSmallForFingers(page)).toEqual([])
}
