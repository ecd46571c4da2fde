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

/**
 * Text that nobody can read in full: cut off by its box, without an ellipsis that says so, or under another text. What can be scrolled to
 * isn't cut off, and what floats covers what is below it for a moment.
 */
export function unreadable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Box = { left: number; top: number; right: number; bottom: number }
    type Text = Box & { words: string; element: Element }
    const windowWidth = document.documentElement.clientWidth
    const found: string[] = []
    const texts: Text[] = []
    type Style = { floats: boolean; clips: 'no' | 'shortens' | 'scrolls' | 'cuts' }
    const styles = new Map<Element, Style>()
    const styleOf = (element: Element): Style => {
      const known = styles.get(element)
      if (known) return known
      const { position, overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element)
      const clips = overflowX !== 'visible' || overflowY !== 'visible'
      const shortens = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
      const scrolls = /auto|scroll/.test(`${overflowX} ${overflowY}`)
      const style: Style = {
        floats:
          /^(fixed|sticky)$/.test(position) ||
          element.matches('[role=tooltip], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'),
        clips: !clips ? 'no' : shortens ? 'shortens' : scrolls ? 'scrolls' : 'cuts',
      }
      styles.set(element, style)
      return style
    }
    const floats = (element: Element): boolean => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) if (styleOf(at).floats) return true
      return false
    }
    /** The part of a box within its ancestors; null if it is scrolled away or meant to be cut. */
    const within = (box: Box, element: Element): { box: Box; isCut: boolean } | null => {
      let seen = box
      let isCut = false
      for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
        const { clips } = styleOf(at)
        if (clips === 'no') continue
        const part = clipped(seen, at)
        if (clips === 'shortens') {
          // Lines after the last one are hidden.
          return part.bottom - part.top < (seen.bottom - seen.top) / 2 ? null : { box: part, isCut: false }
        }
        // Only for screen readers.
        if (at.clientWidth <= 1) return null
        if (part.right - part.left < 1 || part.bottom - part.top < 1) return null
        if (clips === 'cuts') isCut ||= seen.right - part.right > 1 || part.left - seen.left > 1 || seen.bottom - part.bottom > 3
        seen = part
      }
      return { box: seen, isCut }
    }
    const clipped = (box: Box, by: Element): Box => {
      const around = by.getBoundingClientRect()
      return {
        left: Math.max(box.left, around.left),
        top: Math.max(box.top, around.top),
        right: Math.min(box.right, around.right),
        bottom: Math.min(box.bottom, around.bottom),
      }
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      const words = node.textContent?.trim() ?? ''
      if (words === '' || element === null || element.closest('.sr-only, script, style, [aria-busy=true], [data-base-ui-inert]')) continue
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const { left, top, right, bottom } of range.getClientRects()) {
        if (right - left < 2 || bottom - top < 2) continue
        const part = within({ left, top, right, bottom }, element)
        if (part === null) continue
        if (part.isCut || part.box.right > windowWidth + 1) found.push(`cut: ${words.slice(0, 60)} in ${element.outerHTML.slice(0, 120)}`)
        if (!floats(element)) texts.push({ ...part.box, words, element })
      }
    }
    texts.sort((a, b) => a.top - b.top)
    for (const [index, one] of texts.entries()) {
      for (let next = index + 1; next < texts.length; next += 1) {
        const other = texts[next]
        if (other === undefined || other.top >= one.bottom) break
        if (other.element === one.element) continue
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const down = Math.min(one.bottom, other.bottom) - other.top
        // Lines set close together touch where no letter is.
        const least = Math.min(one.bottom - one.top, other.bottom - other.top)
        if (across > 2 && down > least * 0.35) found.push(`over each other: ${one.words.slice(0, 60)} | ${other.words.slice(0, 60)}`)
      }
    }
    return [...new Set(found)]
  })
}
