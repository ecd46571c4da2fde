import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { registered } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { analyticsSummary, ofSearchTypes } from '../../contract/analytics.ts'
import { brandSplit } from '../../contract/brand.ts'
import { keywords } from '../../contract/keywords.ts'
import { metrics } from '../../contract/metrics.ts'
import { decay, pages } from '../../contract/pages.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'

/** Imports contain arbitrary days: some are missing in between, different ones for each grain. */
const last = '2026-03-14'
/** This many of the last days. */
const lastOf = (count: number): string[] => eachDay(addDays(last, 1 - count), last)
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  /** The answers for a user who imported these files, one after another. */
  .extend('imported', { scope: 'file' }, ({ app }) => async (...files: string[]): Promise<(path: string) => Promise<unknown>> => {
    people += 1
    const person: Visitor = await registered(app, `importer${people}`)
    const property = `https://gap${people}.example/`
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const file of files) {
      const form = new FormData()
      form.append('property', property)
      form.append('file', new Blob([file]), 'days.csv')
      const answer = await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie } })
      if (!answer.ok) throw new Error(await answer.text())
    }
    return async (path) => (await person.get(`${path}${path.includes('?') ? '&' : '?'}property=${encodeURIComponent(property)}`)).body
  })

/** Days with 100 clicks of 1,000 impressions each; `of` are the columns in between. */
const fileOf = (days: readonly string[], of: Record<string, string> = {}): string =>
  [
    ['date', ...Object.keys(of), 'clicks', 'impressions', 'position'].join(','),
    ...days.map((date) => [date, ...Object.values(of), 100, 1_000, 4].join(',')),
  ].join('\n')

const page = { page: 'https://shop.example/lamp' }
const query = { query: 'oak lamp' }

describe('the metric cards', () => {
  const nothing = { clicksPrevious: null, clicksChange: 0, impressionsPrevious: null, ctrPrevious: null, positionPrevious: null }

  test('compare seven stored days with the seven before', async ({ imported }) => {
    const ask = await imported(fileOf(lastOf(14)))
    expect(metrics.parse(await ask('/api/metrics'))).toMatchObject({ clicks: 700, clicksPrevious: 700, clicksChange: 0 })
  })

  test("don't compare with only three stored days of the week before", async ({ imported }) => {
    const ask = await imported(fileOf(lastOf(10)))
    const cards = metrics.parse(await ask('/api/metrics'))
    expect(cards).toMatchObject({ ...nothing, clicks: 700 })
    expect(cards.dates).toEqual(lastOf(10))
  })

  test.for(['2026-03-05', '2026-03-12'])("don't compare if %s is missing", async (missing, { imported }) => {
    const ask = await imported(fileOf(lastOf(28).filter((day) => day !== missing)))
    expect(metrics.parse(await ask('/api/metrics'))).toMatchObject(nothing)
    // Nor do the search types below them.
    const types = ofSearchTypes.parse(await ask('/api/analytics/search-types?range=7d'))
    expect(types).toMatchObject([{ type: 'web', compared: null, previous: null }])
  })

  test('have the same comparison as the search types', async ({ imported }) => {
    const ask = await imported(fileOf(lastOf(14)))
    const { previous } = metrics.parse(await ask('/api/metrics'))
    const types = ofSearchTypes.parse(await ask('/api/analytics/search-types?range=7d'))
    expect(types).toMatchObject([{ type: 'web', clicks: 700, compared: previous, previous: { clicks: 700 } }])
  })
})

describe('the analytics screens', () => {
  test("don't compare if a day in between is missing, and say so", async ({ imported }) => {
    const ask = await imported(
      fileOf(
        lastOf(14).filter((day) => day !== '2026-03-04'),
        { ...page, ...query },
      ),
    )
    const summary = analyticsSummary.parse(await ask('/api/analytics/summary'))
    expect(summary).toMatchObject({ previousFrom: '2026-03-01', previousTotals: null, comparedGrains: [] })
    expect(pages.parse(await ask('/api/pages'))).toMatchObject([{ clicks: 700, previous: null }])
    expect(keywords.parse(await ask('/api/keywords'))).toMatchObject([{ clicks: 700, previous: null }])
  })

  test("compare each grain by its own days: pages of one week don't look new next to totals of two", async ({ imported }) => {
    const ask = await imported(fileOf(lastOf(14), query), fileOf(lastOf(10), page))
    const summary = analyticsSummary.parse(await ask('/api/analytics/summary'))
    expect(summary.comparedGrains).toEqual(['total', 'query'])
    expect(summary.previousTotals).toMatchObject({ clicks: 700 })
    expect(pages.parse(await ask('/api/pages'))).toMatchObject([{ clicks: 700, previous: null }])
    expect(keywords.parse(await ask('/api/keywords'))).toMatchObject([{ clicks: 700, previous: { clicks: 700 } }])
    expect(brandSplit.parse(await ask('/api/brand/split')).nonBrand.previous).toMatchObject({ clicks: 700 })
  })

  test("don't claim decay while a day of the four periods is missing", async ({ imported }) => {
    // 400, 300, 200 and 100 clicks in four weeks, as far as stored.
    const weeks = lastOf(28).map((date, at) => ({ date, clicks: [400, 300, 200, 100][Math.floor(at / 7)] }))
    const file = (days: typeof weeks) =>
      ['date,page,clicks,impressions,position', ...days.map(({ date, clicks }) => `${date},${page.page},${clicks},1000,4`)].join('\n')
    const whole = await imported(file(weeks))
    expect(decay.parse(await whole('/api/pages/decay'))).toMatchObject({ complete: true, pages: [page] })
    const gap = await imported(file(weeks.filter(({ date }) => date !== '2026-02-25')))
    expect(decay.parse(await gap('/api/pages/decay'))).toMatchObject({ complete: false, pages: [] })
  })
})
