import type { Locator, Page } from 'playwright-core'
import { eachDay } from '../../src/core/analytics/days.ts'
import { propertyName } from '../../src/core/accounts/property-name.ts'
import { incidentOf, keepNotes, noteOf } from '../support/answers/annotations.ts'
import type { Desk } from '../support/answers/desk.ts'
import { keepReport, reportOf } from '../support/answers/report.ts'
import { metricsOf, shop } from '../support/answers/usual.ts'
import { cardOf } from '../support/browser-cards.ts'
import {
  expectAttribute,
  expectFocused,
  expectGone,
  expectText,
  expectToast,
  expectValue,
  expectVisible,
} from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { describe, expect, test } from '../support/screen-test.ts'

// Events on the days of a chart: a user's own notes, and Google's ranking incidents.

const sample = 'Google: Sample ranking update'
const happened = (...notes: ReturnType<typeof noteOf>[]) => ({ notes, incidents: [incidentOf()], anomalies: [] })

/** Figures for four weeks that end on a Sunday. */
function fourWeeks(desk: Desk): void {
  const [start, end] = ['2026-02-16', '2026-03-15']
  const dates = eachDay(start, end)
  const [clicksData, impressionsData] = [dates.map((_, day) => 150 + day), dates.map((_, day) => 3_000 + day)]
  const [ctrData, positionData] = [dates.map(() => 0.05), dates.map(() => 8.2)]
  desk.answer(
    'GET /api/metrics',
    metricsOf({
      dates,
      clicksData,
      impressionsData,
      ctrData,
      positionData,
      completeThrough: end,
      current: { start: '2026-03-09', end },
      previous: { start: '2026-03-02', end: '2026-03-08' },
    }),
  )
}

const panel = (page: Page) => page.getByRole('dialog', { name: 'Notes' })
async function openNotes(page: Page, of = 'Clicks'): Promise<void> {
  // On a phone the cards have none; the chart below them does.
  await page
    .getByRole('button', { name: new RegExp(`^Notes: ${of}( |$)`) })
    .filter({ visible: true })
    .first()
    .click()
  await expectVisible(panel(page).getByRole('button', { name: 'Add a note' }))
}
const text = (page: Page) => panel(page).getByRole('textbox', { name: 'What happened' })
const add = (page: Page) => panel(page).getByRole('button', { name: 'Add note', exact: true })
const rows = (page: Page, section: string) => panel(page).getByRole('region', { name: section }).getByRole('listitem')
/** Presses the key for the previous day until the line describes a day. */
async function back(page: Page, line: Locator, day: string): Promise<void> {
  for (let pressed = 0; pressed < 28; pressed += 1) {
    if ((await line.getAttribute('aria-valuetext'))?.startsWith(`${day}:`)) return
    await page.keyboard.press('ArrowLeft')
  }
}

describe('on the dashboard', { tags: ['full'] }, () => {
  test('a user writes, changes and deletes a note by keyboard alone, and sees it on the cards', async ({ desk, open }) => {
    fourWeeks(desk)
    const notes = keepNotes(desk, happened())
    const page = await open('/dashboard')
    await page.getByRole('button', { name: 'Notes: Clicks', exact: true }).focus()
    await page.keyboard.press('Enter')
    await panel(page).getByRole('button', { name: 'Add a note' }).focus()
    await page.keyboard.press('Enter')

    await expectFocused(text(page))
    await page.keyboard.type('New titles')
    await page.keyboard.press('Tab')
    await expectFocused(panel(page).getByRole('button', { name: /^Day / }))
    await page.keyboard.press('Enter')
    await expectFocused(panel(page).getByRole('button', { name: /March 2026$/, pressed: true }))
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expectFocused(panel(page).getByRole('button', { name: 'Day 9 Mar 2026' }))
    await page.keyboard.press('Tab')
    await expectFocused(panel(page).getByRole('radio', { name: 'This property' }))
    await page.keyboard.press('Tab')
    const shared = panel(page).getByRole('checkbox', { name: 'Show in reports you share' })
    await expectFocused(shared)
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expectFocused(add(page))
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Note Added')
    await expectFocused(panel(page).getByRole('button', { name: 'Add a note' }))
    await expectText(rows(page, 'Your notes'), 'New titles 9 Mar 2026, in reports')

    await page.getByRole('button', { name: 'Edit: New titles, 9 Mar 2026' }).focus()
    await page.keyboard.press('Enter')
    await expectFocused(text(page))
    await page.keyboard.press('End')
    await page.keyboard.type(' and prices')
    await panel(page).getByRole('button', { name: 'Save note' }).press('Enter')
    await expectToast(page, 'success', 'Note Updated')
    await expectFocused(panel(page).getByRole('button', { name: 'Edit: New titles and prices, 9 Mar 2026' }))

    await page.keyboard.press('Escape')
    await expectGone(panel(page))
    await expectFocused(page.getByRole('button', { name: 'Notes: Clicks', exact: true }))
    for (const metric of ['Clicks', 'Position'] as const) {
      const line = cardOf(page, metric).getByRole('slider')
      await line.focus()
      await back(page, line, '9 Mar')
      await expectAttribute(line, 'aria-valuetext', /^9 Mar: .*; Note: New titles and prices$/)
      await page.keyboard.press('ArrowRight')
      await expectAttribute(line, 'aria-valuetext', new RegExp(`^10 Mar: .*; ${sample}$`))
      await expectVisible(cardOf(page, metric).getByText(sample, { exact: true }))
    }

    await openNotes(page)
    await page.getByRole('button', { name: 'Delete: New titles and prices, 9 Mar 2026' }).press('Enter')
    await expectFocused(panel(page).getByRole('button', { name: 'Delete', exact: true }))
    await panel(page).getByRole('button', { name: 'Keep' }).press('Enter')
    await expectFocused(page.getByRole('button', { name: 'Delete: New titles and prices, 9 Mar 2026' }))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Note Deleted')
    await expectVisible(panel(page).getByText('No notes for these days yet.'))
    expect(notes()).toEqual([])
  })

  test('a note is on this property or on all of them, as selected', async ({ desk, open }) => {
    fourWeeks(desk)
    const notes = keepNotes(desk, happened())
    const page = await open('/dashboard')
    await openNotes(page)
    for (const [words, where] of [
      ['Sale', 'All my properties'],
      ['New host', 'This property'],
    ] as const) {
      await panel(page).getByRole('button', { name: 'Add a note' }).click()
      await text(page).fill(words)
      await panel(page).getByRole('radio', { name: where }).check()
      await add(page).click()
      await expectVisible(panel(page).getByText(words, { exact: true }))
      await expectToast(page, 'success', 'Note Added')
    }
    await expectVisible(rows(page, 'Your notes').filter({ hasText: 'Sale' }).getByText('all properties'))
    await expect
      .poll(() => notes().map((note) => [note.text, note.property]))
      .toEqual([
        ['Sale', null],
        ['New host', shop],
      ])
    await panel(page)
      .getByRole('button', { name: /^Edit: New host/ })
      .click()
    await expectVisible(panel(page).getByRole('paragraph').getByText(propertyName(shop), { exact: true }))
    await expectGone(panel(page).getByText(shop))
  })

  test('an invalid note is reported at its field, before anything is sent', async ({ desk, open }) => {
    fourWeeks(desk)
    keepNotes(desk, happened())
    const page = await open('/dashboard')
    await openNotes(page)
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await add(page).click()
    await expectVisible(panel(page).getByText('Please describe what happened'))
    await expectFocused(text(page))
    expect(desk.asked('POST /api/annotations')).toEqual([])
  })

  test('what the server refuses is undone, says why, and can be sent again', async ({ desk, open }) => {
    fourWeeks(desk)
    const page = await open('/dashboard')
    await openNotes(page)
    desk.cut('POST /api/annotations')
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await text(page).fill('Offline')
    await add(page).click()
    await expectToast(page, 'error', 'Note Not Added')
    await expectValue(text(page), 'Offline')
    keepNotes(desk, happened())
    await add(page).click()
    await expectVisible(rows(page, 'Your notes').getByText('Offline', { exact: true }))
    await expectToast(page, 'success', 'Note Added')
  })

  test("Google's incident opens in a new tab without access to ours", async ({ desk, open }) => {
    fourWeeks(desk)
    keepNotes(desk, happened())
    const page = await open('/dashboard')
    await openNotes(page)
    await expectText(rows(page, 'Google updates').first(), 'Sample ranking update 10–13 Mar 2026')
    const link = panel(page).getByRole('link', { name: 'Sample ranking update: source (new tab)' })
    await expectAttribute(link, 'rel', 'noopener noreferrer')
    // Google itself isn't part of the test.
    await page.context().route('https://status.search.google.com/**', (route) => route.fulfill({ body: 'An incident' }))
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await expect.poll(() => opened.url()).toBe(incidentOf().url)
    expect(await opened.evaluate(() => window.opener as unknown)).toBeNull()
  })
})

describe("on an alert's report", () => {
  test('notes and incidents are marks on the chart that open on focus and hover', async ({ desk, open }) => {
    const { report } = keepReport(desk, reportOf())
    keepNotes(desk, happened(noteOf({ date: '2026-02-24', text: 'Moved to a new host', property: null })))
    const page = await open(`/alerts/${report.id}`)
    const note = page.getByRole('button', { name: /Note: Moved to a new host, 24 Feb 2026/ })
    await note.focus()
    await expectText(page.getByRole('tooltip'), /Note: Moved to a new host, 24 Feb 2026/)
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('tooltip'))
    const incident = page.getByRole('button', { name: new RegExp(`${sample}, 10–13 Mar 2026`) })
    await incident.hover()
    await expectText(page.getByRole('tooltip'), new RegExp(`${sample}, 10–13 Mar 2026`))
  })

  test('a note added there appears immediately', { tags: ['full'] }, async ({ desk, open }) => {
    const { report } = keepReport(desk, reportOf())
    keepNotes(desk, happened())
    const page = await open(`/alerts/${report.id}`)
    await expectVisible(page.getByRole('slider'))
    const height = async () => (await page.locator('figure').boundingBox())?.height
    const before = await height()
    await page.getByRole('button', { name: /^Notes: / }).click()
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await text(page).fill('<b>Bold</b> & quick')
    await add(page).click()
    await expectVisible(rows(page, 'Your notes').getByText('<b>Bold</b> & quick', { exact: true }))
    await page.keyboard.press('Escape')
    await expectVisible(page.getByRole('button', { name: /Note: <b>Bold<\/b> & quick/ }))
    expect(await height()).toBe(before)
  })
})

test.for([
  { width: 375, touch: true, theme: 'light' },
  { width: 375, touch: true, theme: 'dark' },
  { width: 1_440, theme: 'light' },
  { width: 1_440, theme: 'dark' },
] as const)(
  'at %j list, form and question are within the window, large enough, and axe finds nothing',
  { tags: ['full'] },
  async (options, { desk, open }) => {
    fourWeeks(desk)
    const long = noteOf({ id: 'long', date: '2026-03-12', text: `A long word: ${'x'.repeat(120)}`, property: null })
    keepNotes(desk, happened(long, noteOf()))
    const page = await open('/dashboard', { ...options, height: 812 })
    await openNotes(page)
    await expectVisible(rows(page, 'Your notes'))
    const look = async () => {
      await expectAccessible(page)
      await expectWithinWindow(page)
      // On a touchscreen; elsewhere nothing is too small for a mouse.
      expect('touch' in options ? await tooSmallForFingers(page) : []).toEqual([])
    }
    await look()
    await panel(page)
      .getByRole('button', { name: /^Delete: A long word/ })
      .click()
    await look()
    await panel(page).getByRole('button', { name: 'Keep' }).click()
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await panel(page).getByRole('button', { name: /^Day / }).click()
    await look()
  },
)
