import type { Page } from 'playwright-core'
import { fourWeeks, metricsFrom } from '../support/answers/metrics.ts'
import { agency } from '../support/answers/sites.ts'
import { expectVisible } from '../support/browser-expect.ts'
import { expect, test } from '../support/screen-test.ts'

// The small lines in cards and rows.

/** How much of each line, with its thickness, lies outside of its drawing, in pixels; and how many reach the bottom. */
const linesOf = (page: Page, within: string) =>
  page.locator(`${within} svg[preserveAspectRatio=none] path[fill=none]`).evaluateAll((paths) =>
    (paths as SVGPathElement[]).map((path) => {
      const drawing = path.ownerSVGElement?.getBoundingClientRect() ?? new DOMRect()
      const { y, height } = path.getBBox()
      const scale = path.getScreenCTM() ?? new DOMMatrix()
      const half = Number.parseFloat(getComputedStyle(path).strokeWidth) / 2
      const [top, bottom] = [y * scale.d + scale.f - half, (y + height) * scale.d + scale.f + half]
      return { outside: Math.max(0, drawing.top - top, bottom - drawing.bottom), above: drawing.bottom - bottom }
    }),
  )

test('the baseline of a sparkline is not cut in half: a day without clicks is drawn as thick as any other', async ({ desk, open }) => {
  agency(desk)
  desk.answer('GET /api/metrics', metricsFrom(fourWeeks().map((day, index) => (index % 5 === 0 ? { ...day, clicks: 0 } : day))))
  const page = await open('/sites', { width: 1440 })
  await expectVisible(page.getByRole('img', { name: /^Clicks by day/ }))
  const rows = await linesOf(page, '[data-site]')
  expect(rows.length).toBeGreaterThan(3)
  expect(Math.max(...rows.map(({ outside }) => outside))).toBe(0)

  await page.goto('/dashboard')
  await expectVisible(page.getByRole('slider', { name: 'Clicks by day' }))
  const cards = await linesOf(page, 'main')
  expect(cards.length).toBeGreaterThan(3)
  expect(Math.max(...cards.map(({ outside }) => outside))).toBe(0)
  // At least one of them does go down to its baseline.
  expect(Math.min(...cards.map(({ above }) => above))).toBeLessThan(5)
})
