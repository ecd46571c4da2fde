import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Nothing that is a problem for screen readers, keyboard use or low vision, as far as a program can tell. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  // What is dimmed while its replacement loads isn't meant to be read.
  await expect.poll(() => page.locator('figure.opacity-50').count(), { timeout: 15_000 }).toBe(0)
  // Passing rules are reported with a single example, which halves the time.
  // The guards at both ends of an open list are Tab stops, but forward the focus immediately.
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .exclude('[data-base-ui-focus-guard]')
  const { violations, passes } = await (rules ? axe.withRules(rules) : axe).analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`),
  )
  expect(found).toEqual([])
  expect(passes.length).toBeGreaterThan(0)
}

/** Nothing extends beyond the window, so that nobody has to scroll sideways. */
export async function expectWithinWindow(page: Page): Promise<void> {
  const sticksOut = () =>
    page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return []
      const wide = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      return [`${scrollWidth} px in ${clientWidth} px`, ...wide.map((element) => element.outerHTML.slice(0, 160))]
    })
  // A resized window is laid out again a moment later.
  await expect.poll(sticksOut, { timeout: 2_000 }).toEqual([])
}

/** Buttons and links with a touch target of less than 40 px in height. */
export async function tooSmallForFingers(page: Page): Promise<string[]> {
  // What is only open while focused would cover its neighbors.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  return page.evaluate(() => {
    const isOf = (target: Element, hit: Element | null) => hit !== null && (target.contains(hit) || hit.contains(target))
    // The target may be larger than what is visible, so this asks the page what is at a point.
    function reacts(target: Element): boolean {
      target.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = target.getBoundingClientRect()
      const at = (dy: number) => document.elementFromPoint(left + width / 2, top + height / 2 + dy)
      return width >= 38 && isOf(target, at(-19)) && isOf(target, at(19))
    }
    // A link within a sentence is as high as its line.
    return [
      ...document.querySelectorAll(
        'button, a:not([href="#content"]), [role=menuitem], [role=option], input[type=text], input[type=password]',
      ),
    ]
      .filter((element) => element.closest('p, .prose li, [aria-hidden=true], [data-base-ui-inert]') === null && element.checkVisibility())
      .filter((element) => !reacts(element))
      .map((element) => element.outerHTML.slice(0, 160))
  })
}
