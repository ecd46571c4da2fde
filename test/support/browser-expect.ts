import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

// Screens change when they are ready; all of these wait for it. Playwright's own waiting only checks every half second once something isn't
// there immediately.
const patience = { timeout: 15_000, interval: 15 }

export async function expectVisible(...locators: readonly Locator[]): Promise<void> {
  for (const locator of locators) {
    const isVisible = () => locator.first().isVisible()
    if (!(await isVisible())) await expect.poll(isVisible, { ...patience, message: `${locator} is visible` }).toBe(true)
  }
}

export async function expectGone(locator: Locator): Promise<void> {
  await expect.poll(() => locator.first().isVisible(), { ...patience, message: `${locator} is visible` }).toBe(false)
}

/** An element's whole text, as a person reads it. */
export async function expectText(locator: Locator, text: string | RegExp): Promise<void> {
  const read = async () => (await locator.innerText()).replaceAll(/\s+/g, ' ').trim()
  if (typeof text === 'string') await expect.poll(read, patience).toBe(text)
  else await expect.poll(read, patience).toMatch(text)
}

/** Path and query of the address bar; the property in it is ignored, unless it is expected. */
export async function expectAddress(page: Page, address: string): Promise<void> {
  const isNamed = /[?&]property=/.test(address)
  await expect.poll(() => (isNamed ? addressOf(page) : pathOf(page)), patience).toBe(address)
}

/** Path and query, without the property. */
export const pathOf = (page: Page): string =>
  addressOf(page).replace(/([?&])property=[^&]*(&|$)/, (_, before: string, after: string) => (after === '' ? '' : before))

function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** A message in the corner: an error interrupts screen readers, a success doesn't. */
export async function expectToast(page: Page, tone: 'error' | 'success', title: string, description?: string | RegExp): Promise<void> {
  const corner = tone === 'error' ? page.getByRole('alert') : page.getByRole('status')
  const toast = corner.filter({ has: page.getByText(title, { exact: true }) })
  await expectVisible(toast)
  if (description !== undefined) await expectVisible(toast.getByText(description, { exact: true }))
}

export async function expectFocused(locator: Locator): Promise<void> {
  await expect.poll(() => locator.evaluate((element) => element === document.activeElement), patience).toBe(true)
}

export async function expectCount(locator: Locator, count: number): Promise<void> {
  await expect.poll(() => locator.count(), { ...patience, message: `how many there are of ${locator}` }).toBe(count)
}

/** The content of a field. */
export async function expectValue(locator: Locator, value: string): Promise<void> {
  await expect.poll(() => locator.inputValue(), patience).toBe(value)
}

/** The texts of all matches, in order. */
export async function expectTexts(locator: Locator, texts: readonly string[]): Promise<void> {
  await expect.poll(() => locator.allInnerTexts(), patience).toEqual(texts)
}

export async function expectAttribute(locator: Locator, name: string, value: string | RegExp | null): Promise<void> {
  const read = () => locator.getAttribute(name)
  if (value instanceof RegExp) await expect.poll(read, patience).toMatch(value)
  else await expect.poll(read, patience).toBe(value)
}

export async function expectDisabled(locator: Locator): Promise<void> {
  await expect.poll(() => locator.isDisabled(), { ...patience, message: `${locator} is disabled` }).toBe(true)
}

export async function expectEnabled(locator: Locator): Promise<void> {
  await expect.poll(() => locator.isDisabled(), { ...patience, message: `${locator} is disabled` }).toBe(false)
}

export async function expectChecked(locator: Locator, checked: boolean): Promise<void> {
  await expect.poll(() => locator.isChecked(), { ...patience, message: `${locator} is checked` }).toBe(checked)
}
