import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectFocused, expectGone, expectVisible } from './browser-expect.ts'

// The command palette, used by keyboard.

export const header = (page: Page): Locator => page.getByRole('banner')
/** The button that opens it. */
export const box = (page: Page): Locator => header(page).getByRole('searchbox', { name: 'Search' })
export const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
export const field = (page: Page): Locator => palette(page).getByRole('combobox', { name: 'Search' })
export const option = (page: Page, name: string): Locator => palette(page).getByRole('option', { name, exact: true })
export const group = (page: Page, name: string): Locator => palette(page).getByRole('group', { name })
export const optionsOf = async (page: Page, name: string): Promise<string[]> =>
  (await group(page, name).getByRole('option').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))

/** The panel of one keyword or page. */
export const everythingAbout = (page: Page, name: string): Locator => page.getByRole('dialog').filter({ hasText: name })
export const shortcuts = (page: Page): Locator => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

export async function expectInside(dialog: Locator): Promise<void> {
  await expectVisible(dialog)
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement)), { timeout: 15_000 }).toBe(true)
}

export async function openPalette(page: Page, typed = ''): Promise<void> {
  await expectVisible(header(page))
  await page.keyboard.press('Control+k')
  await expectFocused(field(page))
  if (typed === '') await expectVisible(palette(page).getByRole('option'))
  else await field(page).fill(typed)
}

/** By keyboard: types, moves down until the entry is selected, and opens it. */
export async function choose(page: Page, typed: string, name: string): Promise<void> {
  await openPalette(page, typed)
  await expectVisible(option(page, name))
  for (let moves = 0; (await option(page, name).getAttribute('data-highlighted')) === null; moves += 1) {
    if (moves > 40) throw new Error(`${name} cannot be reached`)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expectGone(palette(page))
}
