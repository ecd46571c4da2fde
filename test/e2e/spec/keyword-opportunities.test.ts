// SPEC §2, "Keyword Opportunities", with §4 (priority) and §9 (limits). Further tabs and filters: ../keyword-opportunities.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { found, analysedSite } from '../../support/analysed-site.ts'
import type { TestApp } from '../../support/app.ts'
import { type DemoInBrowser, startDemoInBrowser, type TestBrowser } from '../../support/browser.ts'
import { expectText, expectVisible } from '../../support/browser-expect.ts'
import { ownerOf } from '../../support/people.ts'
import type { Visitor } from '../../support/visitor.ts'

let demo: DemoInBrowser
let app: TestApp
let browser: TestBrowser
let owner: Visitor
let site: string
let nobody: Visitor
beforeAll(async () => {
  demo = await startDemoInBrowser({ figures: false })
  ;({ app, browser } = demo)
  ;({ person: owner, site } = await analysedSite(app, 'found'))
  nobody = await ownerOf(app, 'https://unseen.example/', { days: 7, email: 'unseen@example.test' })
})
afterAll(() => demo.close())

const wide = { width: 1_440, height: 900 }
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
const rows = (page: Page, caption: string) => page.getByRole('table', { name: caption }).locator('tbody').getByRole('row')

async function optionsOf(page: Page, name: string): Promise<string[]> {
  await filter(page, name).click()
  await expectVisible(page.getByRole('option'))
  const texts = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim())
  await page.keyboard.press('Escape')
  return texts
}

async function choose(page: Page, name: string, option: string): Promise<void> {
  await filter(page, name).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('two tabs, Optimization Opportunities and Keyword Analysis', async () => {
  const page = await browser.visitAs(owner, '/keyword-opportunities', wide)
  await expectVisible(page.getByRole('heading', { level: 1, name: 'Keyword Opportunities', exact: true }))
  expect(await tab(page, 'Optimization Opportunities').getAttribute('aria-selected')).toBe('true')
  await tab(page, 'Keyword Analysis').click()
  await expectVisible(rows(page, 'Keyword Analysis'))
})

test('position range, time range and sort, with their defaults', async () => {
  const page = await browser.visitAs(owner, '/keyword-opportunities', wide)
  await expectText(filter(page, 'Position Range'), 'Positions 5-15')
  expect(await optionsOf(page, 'Position Range')).toEqual(['Positions 5-15', 'Positions 11-20', 'All positions'])
  await expectText(filter(page, 'Time Range'), 'Last 7 days')
  expect(await optionsOf(page, 'Time Range')).toEqual(['Last 7 days', 'Last 28 days', 'Last 90 days'])
  await expectText(filter(page, 'Sort By'), 'Opportunity Score')
  expect(await optionsOf(page, 'Sort By')).toEqual(['Opportunity Score', 'Impressions', 'Position', 'Clicks'])

  const first = () => rows(page, 'Optimization Opportunities').first().getByRole('rowheader')
  await expectText(first(), /^floor lamp/)
  await choose(page, 'Sort By', 'Clicks')
  await expectText(first(), /^reading lamp for a small desk/)
  await choose(page, 'Position Range', 'Positions 11-20')
  await expectText(first(), /^floor lamp/)
})

test('each row shows its priority by its score', async () => {
  const page = await browser.visitAs(owner, '/keyword-opportunities', wide)
  await expectVisible(rows(page, 'Optimization Opportunities'))
  const columns = await page.getByRole('columnheader').allInnerTexts()
  const [scoreAt, priorityAt] = ['Score', 'Priority'].map((name) => columns.findIndex((text) => text.trim() === name))
  const shown = await rows(page, 'Optimization Opportunities').evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)),
  )
  for (const cells of shown) {
    const score = Number(cells[scoreAt ?? -1])
    expect(cells[priorityAt ?? -1]).toBe(score >= 20 ? 'High' : score >= 10 ? 'Medium' : 'Low')
  }
  expect(new Set(shown.map((cells) => cells[priorityAt ?? -1]))).toEqual(new Set(['High', 'Medium', 'Low']))
})

test('100 opportunities are asked for and 50 shown, 200 keywords and 100', async () => {
  const page = await browser.visitAs(owner, '/login')
  const limits: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (/^\/api\/keywords(\/opportunities)?$/.test(pathname)) limits.push(`${pathname} ${searchParams.get('limit')}`)
  })
  await page.setViewportSize(wide)
  await page.goto('/keyword-opportunities')
  await expect.poll(() => rows(page, 'Optimization Opportunities').count(), { timeout: 15_000 }).toBe(50)
  await tab(page, 'Keyword Analysis').click()
  await expect.poll(() => rows(page, 'Keyword Analysis').count(), { timeout: 15_000 }).toBe(100)
  expect(found.length).toBeGreaterThan(100)
  expect(new Set(limits)).toEqual(new Set(['/api/keywords/opportunities 100', '/api/keywords 200']))
})

test('another time range is asked for at once', async () => {
  const page = await browser.visitAs(owner, '/keyword-opportunities', wide)
  await expectVisible(rows(page, 'Optimization Opportunities'))
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().includes('/api/keywords/opportunities?')),
    choose(page, 'Time Range', 'Last 28 days'),
  ])
  const asked = new URL(request.url()).searchParams
  expect(Object.fromEntries(asked)).toMatchObject({ property: site, days: '28', positionMin: '5', positionMax: '15' })
})

test('without keywords both tabs say so', async () => {
  const page = await browser.visitAs(nobody, '/keyword-opportunities')
  await expectVisible(page.getByText('No optimization opportunities found. Try adjusting your filters.', { exact: true }))
  await tab(page, 'Keyword Analysis').click()
  await expectVisible(page.getByText('No keyword data available. Please ensure your Google Search Console is connected.', { exact: true }))
})
