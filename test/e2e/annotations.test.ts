import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { annotations } from '../../src/contract/annotations.ts'
import { alerted, type Alerted } from '../support/alerted.ts'
import { sites, type TestApp, type Visitor } from '../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser, type VisitOptions } from '../support/browser.ts'
import { cardOf } from '../support/browser-cards.ts'
import { expectFocused, expectGone, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expectAccessible, expectWithinWindow, tooSmallForFingers } from '../support/browser-accessible.ts'
import { runJob } from '../support/jobs.ts'

// What happened on the days of a chart: a person's own notes, and Google's ranking incidents. Today is 18 March 2026; the
// stand-in published an invented incident of 10 to 13 March.

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let owner: Visitor
let actor: Alerted
/** Somebody's alert, whose report has a chart. */
let alertId: string

beforeAll(async () => {
  demo = await startDemoInBrowser()
  ;({ app, browser } = demo)
  owner = await app.demo()
  actor = await alerted(app, 'actor')
  alertId = (await actor.found())[0]?.id ?? ''
  await runJob(app, 'ranking-incidents')
}, 240_000)
afterAll(() => demo.close())

const sample = 'Google: Sample ranking update'
const add = async (who: Visitor, note: { date: string; text: string; property?: string | null }) => {
  const answer = await who.send('POST', '/api/annotations', { property: null, ...note })
  expect(answer.status).toBe(201)
}
const notesOf = async (who: Visitor) => annotations.parse((await who.get('/api/annotations?property=all')).body).notes
const forget = async (who: Visitor) => {
  for (const { id } of await notesOf(who)) await who.send('DELETE', `/api/annotations/${id}`)
}

async function dashboard(options: VisitOptions = {}): Promise<Page> {
  const page = await browser.visitAs(owner, '/dashboard', options)
  await expectVisible(cardOf(page, 'Clicks').getByRole('slider'))
  return page
}
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notes' })
async function openNotes(page: Page, of = 'Clicks'): Promise<void> {
  await page.getByRole('button', { name: `Notes: ${of}`, exact: true }).click()
  await expectVisible(panel(page))
}
const rows = (page: Page, section: string) => panel(page).getByRole('region', { name: section }).getByRole('listitem')
/** Presses the key for the day before until the line tells of a day. */
async function back(page: Page, line: Locator, day: string): Promise<void> {
  for (let pressed = 0; pressed < 28; pressed += 1) {
    if ((await line.getAttribute('aria-valuetext'))?.startsWith(`${day}:`)) return
    await page.keyboard.press('ArrowLeft')
  }
}
const valueText = (page: Page, metric: 'Clicks' | 'Position') => cardOf(page, metric).getByRole('slider').getAttribute('aria-valuetext')

describe('on the dashboard', () => {
  test('somebody writes, changes and deletes a note with the keyboard alone, and hears of it on the cards', async () => {
    await forget(owner)
    const page = await dashboard()
    await page.getByRole('button', { name: 'Notes: Clicks', exact: true }).focus()
    await page.keyboard.press('Enter')
    await panel(page).getByRole('button', { name: 'Add a note' }).focus()
    await page.keyboard.press('Enter')

    const text = panel(page).getByRole('textbox', { name: 'What happened' })
    await expectFocused(text)
    await page.keyboard.type('New titles')
    await page.keyboard.press('Tab')
    await expectFocused(panel(page).getByRole('button', { name: /^Day / }))
    await page.keyboard.press('Enter')
    await expectFocused(panel(page).getByRole('button', { name: /March 2026$/, pressed: true }))
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    const day = panel(page).getByRole('button', { name: 'Day 9 Mar 2026' })
    await expectFocused(day)
    await page.keyboard.press('Tab')
    await expectFocused(panel(page).getByRole('radio', { name: 'This property' }))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expectFocused(panel(page).getByRole('button', { name: 'Add note', exact: true }))
    await page.keyboard.press('Enter')
    await expectToast(page, 'success', 'Note Added')
    await expectFocused(panel(page).getByRole('button', { name: 'Add a note' }))
    await expectText(rows(page, 'Your notes'), 'New titles 9 Mar 2026')

    await page.getByRole('button', { name: 'Edit: New titles, 9 Mar 2026' }).focus()
    await page.keyboard.press('Enter')
    await expectFocused(text)
    await page.keyboard.press('End')
    await page.keyboard.type(' and prices')
    await panel(page).getByRole('button', { name: 'Save note' }).press('Enter')
    await expectToast(page, 'success', 'Note Changed')
    await expectFocused(panel(page).getByRole('button', { name: 'Edit: New titles and prices, 9 Mar 2026' }))

    await page.keyboard.press('Escape')
    await expectGone(panel(page))
    await expectFocused(page.getByRole('button', { name: 'Notes: Clicks', exact: true }))
    for (const metric of ['Clicks', 'Position'] as const) {
      const line = cardOf(page, metric).getByRole('slider')
      await line.focus()
      await back(page, line, '9 Mar')
      expect(await valueText(page, metric)).toMatch(/^9 Mar: .*; Note: New titles and prices$/)
      await page.keyboard.press('ArrowRight')
      expect(await valueText(page, metric)).toMatch(new RegExp(`^10 Mar: .*; ${sample}$`))
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
    await expectVisible(panel(page).getByText('No notes on these days yet.'))
    expect(await notesOf(owner)).toEqual([])
  })

  test('a note is on this property or on all of them, as somebody chooses', async () => {
    await forget(owner)
    const page = await dashboard()
    await openNotes(page)
    for (const [text, where] of [
      ['Sale', 'All my properties'],
      ['New host', 'This property'],
    ] as const) {
      await panel(page).getByRole('button', { name: 'Add a note' }).click()
      await panel(page).getByRole('textbox', { name: 'What happened' }).fill(text)
      await panel(page).getByRole('radio', { name: where }).check()
      await panel(page).getByRole('button', { name: 'Add note', exact: true }).click()
      await expectVisible(panel(page).getByText(text, { exact: true }))
      await expectToast(page, 'success', 'Note Added')
    }
    await expectVisible(rows(page, 'Your notes').filter({ hasText: 'Sale' }).getByText('all properties'))
    const known = await notesOf(owner)
    expect(known.map(({ text, property }) => [text, property]).toSorted()).toEqual([
      ['New host', sites.shop],
      ['Sale', null],
    ])
    await forget(owner)
  })

  test('what cannot be a note is told at its field, before anything is sent', async () => {
    const page = await dashboard()
    await openNotes(page)
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await panel(page).getByRole('button', { name: 'Add note', exact: true }).click()
    await expectVisible(panel(page).getByText('Please write what happened'))
    await expectFocused(panel(page).getByRole('textbox', { name: 'What happened' }))
  })

  test('what the server refuses is taken back, says why, and is still there to be sent again', async () => {
    await forget(owner)
    const page = await dashboard()
    await openNotes(page)
    await page.context().setOffline(true)
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await panel(page).getByRole('textbox', { name: 'What happened' }).fill('Offline')
    await panel(page).getByRole('button', { name: 'Add note', exact: true }).click()
    await expectToast(page, 'error', 'Note Not Added')
    expect(await panel(page).getByRole('textbox', { name: 'What happened' }).inputValue()).toBe('Offline')
    await page.context().setOffline(false)
    await panel(page).getByRole('button', { name: 'Add note', exact: true }).click()
    await expectVisible(rows(page, 'Your notes').getByText('Offline', { exact: true }))
    await expectToast(page, 'success', 'Note Added')
    await forget(owner)
  })

  test("Google's incident opens in a new tab that knows nothing of ours", async () => {
    const page = await dashboard()
    await openNotes(page)
    await expectText(rows(page, 'Google’s ranking incidents').first(), 'Sample ranking update 10–13 Mar 2026')
    const link = panel(page).getByRole('link', { name: 'Sample ranking update at Google (new tab)' })
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await expectVisible(opened.getByRole('heading', { name: 'Sample ranking update' }))
    expect(opened.url()).toBe(`${app.google.url}/incidents/SampleRankingUpdate1`)
    expect(await opened.evaluate(() => window.opener as unknown)).toBeNull()
  })
})

describe("on an alert's report", () => {
  const open = async (options: VisitOptions = {}): Promise<Page> => {
    const page = await browser.visitAs(actor.person, `/alerts/${alertId}`, options)
    await expectVisible(page.getByRole('slider'))
    return page
  }

  test('notes and incidents are marks of the chart that open on focus and hover', async () => {
    await forget(actor.person)
    await add(actor.person, { date: '2026-02-24', text: 'Moved to a new host' })
    const page = await open()
    const note = page.getByRole('button', { name: /Note: Moved to a new host, 24 Feb 2026/ })
    await note.focus()
    await expectText(page.getByRole('tooltip'), /Note: Moved to a new host, 24 Feb 2026/)
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('tooltip'))
    const incident = page.getByRole('button', { name: new RegExp(`${sample}, 10–13 Mar 2026`) })
    await incident.hover()
    await expectText(page.getByRole('tooltip'), new RegExp(`${sample}, 10–13 Mar 2026`))
  })

  test('a note that is added there is drawn at once', async () => {
    await forget(actor.person)
    const page = await open()
    const height = async () => (await page.locator('figure').boundingBox())?.height
    const before = await height()
    await page.getByRole('button', { name: /^Notes: / }).click()
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await panel(page).getByRole('textbox', { name: 'What happened' }).fill('<b>Bold</b> & quick')
    await panel(page).getByRole('button', { name: 'Add note', exact: true }).click()
    await expectVisible(rows(page, 'Your notes').getByText('<b>Bold</b> & quick', { exact: true }))
    await page.keyboard.press('Escape')
    await expectVisible(page.getByRole('button', { name: /Note: <b>Bold<\/b> & quick/ }))
    expect(await height()).toBe(before)
  })
})

describe.each([
  { width: 375, touch: true, theme: 'light' },
  { width: 375, touch: true, theme: 'dark' },
  { width: 1_440, theme: 'light' },
  { width: 1_440, theme: 'dark' },
] as const)('at %j', (options) => {
  test('list, form and question are within the window, large enough, and axe finds nothing', async () => {
    await forget(owner)
    await add(owner, { date: '2026-03-12', text: `A long word: ${'x'.repeat(120)}` })
    await add(owner, { date: '2026-03-01', text: 'New titles', property: sites.shop })
    const page = await dashboard({ ...options, height: 812 })
    await openNotes(page)
    await expectVisible(rows(page, 'Your notes'))
    const look = async () => {
      await expectAccessible(page)
      await expectWithinWindow(page)
      // On a screen for fingers; elsewhere nothing is small for a mouse.
      expect('touch' in options ? await tooSmallForFingers(page) : []).toEqual([])
    }
    await look()
    await panel(page)
      .getByRole('button', { name: /^Delete: New titles/ })
      .click()
    await look()
    await panel(page).getByRole('button', { name: 'Keep' }).click()
    await panel(page).getByRole('button', { name: 'Add a note' }).click()
    await panel(page).getByRole('button', { name: /^Day / }).click()
    await look()
  })
})
