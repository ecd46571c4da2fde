import type { Locator, Page } from 'playwright-core'
import { shownAlert } from '../support/answers/alerts.ts'
import { incidentOf, keepNotes } from '../support/answers/annotations.ts'
import { keepAlerts } from '../support/answers/kept-alerts.ts'
import { fourWeeks, metricsFrom } from '../support/answers/metrics.ts'
import { agency } from '../support/answers/sites.ts'
import { expectCount, expectVisible } from '../support/browser-expect.ts'
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

test(
  'the baseline of a sparkline is not cut in half: a day without clicks is drawn as thick as any other',
  { tags: ['full'] },
  async ({ desk, open }) => {
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
  },
)

test(
  'what happened is marked below a card’s line only with a legend, and always named on its day',
  { tags: ['full'] },
  async ({ desk, open }) => {
    const days = fourWeeks()
    desk.answer('GET /api/metrics', metricsFrom(days))
    keepNotes(desk, { notes: [], incidents: [incidentOf()], anomalies: [] })
    keepAlerts(desk, [shownAlert({ data: days.map(({ clicks }) => clicks) })])
    const page = await open('/alerts', { width: 1440 })
    const card = page.getByRole('article').first()
    await expectVisible(card.locator('[data-mark]'), card.locator('[data-key]').getByText('Google update', { exact: true }))

    // There, the chart below the cards has the marks and their legend; beside it there is no room for one.
    await page.goto('/dashboard')
    const slider = page.getByRole('slider', { name: 'Clicks by day', exact: true }).first()
    await expectVisible(slider)
    await expectCount(page.locator('[data-mark]:visible'), 0)
    await slider.focus()
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft')
    await expectVisible(page.getByText('Google: Sample ranking update').first())
  },
)

test('the days of an alert of another year have their year', async ({ desk, open }) => {
  const days = { current: { start: '2025-11-03', end: '2025-11-09' }, previous: { start: '2025-10-27', end: '2025-11-02' } }
  keepAlerts(desk, [shownAlert({ ...days, data: fourWeeks().map(({ clicks }) => clicks) })])
  const page = await open('/alerts', { width: 1440 })
  const card = page.getByRole('article').first()
  await expectVisible(card.getByText('13 Oct 2025', { exact: true }), card.getByText('9 Nov 2025', { exact: true }))
})

const brokenWords = (place: Locator) =>
  place.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (texts.nextNode() !== null) {
      const text = texts.currentNode as Text
      for (const { 0: word, index } of text.data.matchAll(/[a-z.]{5,}|\d+–\d+ [A-Z]\w+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word)
      }
    }
    return found
  })

test('a long URL in an alert wraps at its slashes, not in the middle of a word', { tags: ['full'] }, async ({ desk, open }) => {
  const url = 'https://www.lumenandloom.example/collections/hand-made/desk-lamp/'
  keepAlerts(desk, [shownAlert({ title: `Clicks dropped: ${url}`, description: `Clicks for <code>${url}</code> fell.` })])
  const page = await open('/dashboard', { width: 1440 })
  const card = page.getByRole('article').first()
  await expectVisible(card.getByText(`Clicks dropped: ${url}`))
  expect(await brokenWords(card)).toEqual([])
})

test('in the narrowest table, neither a long host nor the days of a comparison are broken', { tags: ['full'] }, async ({ desk, open }) => {
  const names = ['harbourlanephysio.example/treatments', 'thecrumbjournal.example/recipes/rye'].map((name) => `https://${name}`)
  keepAlerts(
    desk,
    names.map((name) => shownAlert({ entity: { kind: 'page', name } })),
  )
  const page = await open('/alerts?view=table', { width: 768 })
  const table = page.getByRole('table')
  for (const name of names) await expectVisible(table.getByText(`Clicks dropped: ${name}`))
  expect(await brokenWords(table)).toEqual([])
})
