// The SEO insights in the whole product: their figures are the API's responses, combined as in SPEC §2.
import type { z } from 'zod'
import { alertConditions } from '../../src/contract/alerts/conditions.ts'
import { analyticsDays, segments } from '../../src/contract/analytics.ts'
import { keywords, opportunities } from '../../src/contract/keywords.ts'
import { pages } from '../../src/contract/pages.ts'
import { choose, exported, figureOf } from '../support/analytics-screens.ts'
import { sites } from '../support/app.ts'
import { expectAddress, expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import { ownerOf, select } from '../support/people.ts'

const test = journeyTest()
const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 })

test("cards, charts, audience, trends and files match the API's responses for the selected days", async ({ app, visitAs }) => {
  const person = await app.demo()
  await select(person, sites.shop)
  const answer = async <T extends z.ZodType>(schema: T, path: string): Promise<z.infer<T>> => schema.parse((await person.get(path)).body)
  const page = await visitAs(person, '/insights')

  for (const days of [7, 28]) {
    if (days === 28) await choose(page, page, 'Time Range', 'Last 28 days')
    const found = await answer(opportunities, `/api/keywords/opportunities?days=${days}&limit=20`)
    const listed = await answer(pages, `/api/pages?days=${days}&limit=50`)
    const scores = found.map(({ opportunityScore }) => opportunityScore)
    for (const [name, figure] of [
      ['Optimization Opportunities', scores.filter((score) => score >= 15).length],
      ['Pages Needing Optimization', listed.filter(({ impressions, ctr }) => impressions > 100 && Number(ctr) < 2).length],
      ['High Performing Pages', listed.filter(({ ctr }) => Number(ctr) >= 5).length],
      ['Potential Impact Score', scores.reduce((sum, score) => sum + score, 0)],
    ] as const)
      await expectText(figureOf(page, name), count(figure))
  }
  const gaps = await answer(keywords, '/api/keywords?days=28&positionMin=20.001&sort=impressions&order=desc&limit=3')
  expect(gaps).toHaveLength(3)
  const examples = page.getByRole('list', { name: 'Content Gap Analysis' }).getByRole('link')
  await expect
    .poll(
      () =>
        examples.evaluateAll((links) =>
          links.map((link) => link.getAttribute('aria-label') ?? (link.querySelector('.sr-only') ?? link).textContent),
        ),
      {
        timeout: 15_000,
      },
    )
    .toEqual(gaps.map(({ query }) => expect.stringContaining(query.slice(0, 20))))

  await page.goto('/insights?tab=performance')
  await expectText(figureOf(page, 'Total Keywords Tracked'), count((await answer(keywords, '/api/keywords?days=7&limit=200')).length))

  await page.goto('/insights?tab=audience')
  for (const [dimension, table, name] of [
    ['device', 'Devices', 'Mobile'],
    ['country', 'Countries', 'United Kingdom'],
  ] as const) {
    const [first] = await answer(segments, `/api/analytics/segments?days=7&dimension=${dimension}`)
    await expectText(
      page.getByRole('table', { name: table }).getByRole('row').nth(1),
      new RegExp(`^${name} ${count(first?.clicks ?? 0)} previously ${count(first?.previous?.clicks ?? 0)} `),
    )
  }

  await page.goto('/insights?tab=trends')
  const { days, previousDays } = await answer(analyticsDays, '/api/analytics/days?days=7')
  const lines = page.getByRole('figure', { name: 'Clicks', exact: true }).getByRole('slider')
  await lines.focus()
  const said = (await lines.getAttribute('aria-valuetext')) ?? ''
  expect(said).toContain(`Clicks ${count(days.at(-1)?.clicks ?? 0)}`)
  expect(said).toContain(count(previousDays.at(-1)?.clicks ?? 0))

  // A file for each list that the screen counts, with all of its rows.
  for (const [label, rows] of [
    ['Optimization opportunities', await answer(opportunities, '/api/keywords/opportunities?days=7&scoreMin=15&limit=1000')],
    ['Pages needing optimization', await answer(pages, '/api/pages?days=7&impressionsAbove=100&ctrBelow=2&limit=1000')],
    ['High-performing pages', await answer(pages, '/api/pages?days=7&ctrAtLeast=5&limit=1000')],
    ['All pages', await answer(pages, '/api/pages?days=7&limit=1000')],
  ] as const) {
    const file = await exported(page, label)
    expect(file.name).toMatch(/lumenandloom.*\.csv$/)
    expect({ label, rows: file.rows.length }).toEqual({ label, rows: rows.length })
    await expectVisible(page.getByRole('button', { name: 'Export' }).filter({ hasText: /^Export$/ }))
  }
})

test("'Setup Alert' creates the rule of the template, which opens for editing and stays set up", async ({ app, visitAs }) => {
  const owner = await ownerOf(app, 'https://monitored.example/', { days: 3, email: 'monitored@example.test' })
  const page = await visitAs(owner, '/insights?tab=monitoring')
  const template = page.getByRole('listitem', { name: 'Traffic spike', exact: true })
  await template.getByRole('button', { name: 'Setup Alert' }).click()
  await expectToast(page, 'success', 'Rule Created', 'Traffic spike')
  const rules = alertConditions.parse((await owner.get('/api/alert-conditions')).body)
  const rule = rules.find(({ title }) => title === 'Traffic spike')
  await expectAddress(page, `/alert-settings?rule=${rule?.id}`)
  await expectVisible(page.getByRole('dialog', { name: 'Edit Alert' }))
  await page.goto('/insights?tab=monitoring')
  await expectVisible(template.getByText('Already set up', { exact: true }))
})
