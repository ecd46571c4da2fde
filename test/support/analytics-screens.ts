import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectVisible } from './browser-expect.ts'
import { readCsv } from './csv.ts'

/** Large enough for the tables of the analytics screens. */
export const wide = { width: 1_440, height: 900 }

export type ShownRow = {
  /** The links that name a row's subject: the full name, and the visible part. */
  names: string[]
  shown: string
  cells: string[]
}

/** The rows of a table as read by scrolling through all of it, or to its first `most`: only those near the screen are rendered. */
export async function rowsOf(within: Page | Locator, name: string, most = Infinity): Promise<ShownRow[]> {
  const table = within.getByRole('table', { name })
  await expectVisible(table)
  // A long list rendered in full is rendered in two steps.
  await expect.poll(() => table.getAttribute('data-whole')).not.toBe('false')
  const box = table.locator('xpath=..')
  const rows = new Map<number, ShownRow>()
  await box.evaluate((element) => element.scrollTo({ top: 0 }))
  for (let isEnd = false; !isEnd && rows.size < most;) {
    for (const [index, row] of await drawnRows(table)) rows.set(index, row)
    isEnd = await box.evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight - 1)
    // The others are under way.
    const isWhole = async () => {
      const count = Number(await table.getAttribute('aria-rowcount'))
      return count >= 0 && count <= rows.size + 1
    }
    if (isEnd && !(await isWhole())) {
      const height = await box.evaluate((element) => element.scrollHeight)
      await expect.poll(async () => (await isWhole()) || (await box.evaluate((element) => element.scrollHeight)) > height).toBe(true)
      isEnd = false
    }
    await box.evaluate(async (element) => {
      element.scrollBy({ top: element.clientHeight * 0.8 })
      // Rendered with the frame after the one that reports the scroll.
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
    })
  }
  await box.evaluate((element) => element.scrollTo({ top: 0 }))
  return [...rows]
    .toSorted(([a], [b]) => a - b)
    .slice(0, most)
    .map(([, row]) => row)
}

/** By position in the table; in one that renders all of them, by order. */
const drawnRows = (table: Locator): Promise<[number, ShownRow][]> =>
  table.locator('tbody tr:not([aria-hidden])').evaluateAll((rows) =>
    rows.map((row, at) => {
      const links = [...row.querySelectorAll('th a')]
      const cells = [...row.querySelectorAll('td')].map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim())
      const names = links.map((link) => link.getAttribute('aria-label') ?? '')
      // A name that may be cut is there for screen readers, too.
      const shown = links[0]?.querySelector('.sr-only') ?? links[0]
      return [Number(row.getAttribute('data-index') ?? at), { names, shown: shown?.textContent ?? '', cells }]
    }),
  )

/** The most pixels that a row may take on a phone. */
export const tallestRow = 92

/** The heights of the rows that replace a table's on a phone. */
export const compactHeights = (page: Page): Promise<number[]> =>
  page.locator('li[data-compact]').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))

/** The subject of each row. */
export const namesOf = async (within: Page | Locator, table: string, most?: number): Promise<(string | undefined)[]> =>
  (await rowsOf(within, table, most)).map(({ names }) => names[0])

const select = (within: Page | Locator, label: string): Locator => within.getByRole('combobox', { name: label, exact: true })

export async function choose(within: Page | Locator, page: Page, label: string, option: string): Promise<void> {
  await select(within, label).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Days that aren't in SPEC §9's list are next to it. */
export async function chooseLonger(within: Page | Locator, range: string): Promise<void> {
  await within.getByRole('button', { name: 'More time ranges' }).click()
  await within.getByRole('button', { name: range, exact: true }).click()
}

/** The available options. */
export async function optionsOf(page: Page, label: string): Promise<string[]> {
  await select(page, label).click()
  await expectVisible(page.getByRole('option'))
  const texts = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim())
  await page.keyboard.press('Escape')
  return texts
}

/** The panel of a page or query. */
export const panelOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })

/** The URL's query string when a panel is open. */
export const panelAt = (kind: 'page' | 'keyword', name: string, search = ''): string =>
  `${search === '' ? '?' : `${search}&`}${new URLSearchParams({ [kind]: name })}`

/** A panel's four figures, each with its previous value. */
export const tilesOf = (panel: Locator): Promise<string[]> =>
  panel
    .getByRole('group', { name: 'Chart metric' })
    .evaluate((group) => [...group.querySelectorAll('label')].map((label) => label.innerText.replaceAll(/\s+/g, ' ').trim()))

/** A card's figure. */
export const figureOf = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true }).getByRole('paragraph').first()

/** The file from Export, by its menu entry if there are several. */
export async function exported(page: Page, entry?: string): Promise<{ name: string; rows: Record<string, string>[] }> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  if (entry !== undefined) await page.getByRole('menuitem', { name: entry, exact: true }).click()
  const file = await waiting
  const [header = [], ...lines] = readCsv((await readFile(await file.path(), 'utf8')).replace('\uFEFF', ''))
  const rows = lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])))
  return { name: file.suggestedFilename(), rows }
}
