import { describe, expect } from 'vitest'
import { z } from 'zod'
import { appTest } from '../../../test/support/app-test.ts'
import { member } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { analyticsDays, analyticsSummary, ofSearchTypes } from '../../contract/analytics.ts'
import { apiKeyMade } from '../../contract/api-keys.ts'
import { brandSplit } from '../../contract/brand.ts'
import { explored } from '../../contract/explore/explore.ts'
import { keywords, opportunities } from '../../contract/keywords.ts'
import { metrics } from '../../contract/metrics.ts'
import { decay, pages } from '../../contract/pages.ts'
import { periodicReport } from '../../contract/reports/periodic.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'

/** Imports contain arbitrary days: some are missing in between, different ones for each grain. */
const last = '2026-03-14'
/** This many of the last days. */
const lastOf = (count: number): string[] => eachDay(addDays(last, 1 - count), last)
let people = 0
type Ask = (path: string) => Promise<unknown>

const test = appTest({ today: '2026-03-18', demo: false })
  /** The answers for a user who imported these files, one after another. */
  .extend('imported', { scope: 'file' }, ({ app }) => async (...files: string[]): Promise<Ask & { person: Visitor; property: string }> => {
    people += 1
    const person = await member(app, { email: `importer${people}@example.test`, plan: 'agency' })
    const property = `https://gap${people}.example/`
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const file of files) {
      const form = new FormData()
      form.append('property', property)
      form.append('file', new Blob([file]), 'days.csv')
      const answer = await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie } })
      if (!answer.ok) throw new Error(await answer.text())
    }
    const ask: Ask = async (path) =>
      (await person.get(`${path}${path.includes('?') ? '&' : '?'}property=${encodeURIComponent(property)}`)).body
    return Object.assign(ask, { person, property })
  })
  /** What a tool of the MCP server says about its figures. */
  .extend('toolSays', { scope: 'file' }, ({ app }) => async (of: { person: Visitor; property: string }, name: string, asked: object) => {
    const { key } = apiKeyMade.parse((await of.person.send('POST', '/api/keys', { name: 'Figures', scope: 'read', days: null })).body)
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
    const params = { name, arguments: { property: of.property, ...asked } }
    const call = await app.visitor().send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { headers })
    const data = z.looseObject({ missing: z.array(z.string()), comparedWith: z.unknown() })
    const result = z.object({ content: z.tuple([z.object({ text: z.string() })]), structuredContent: data })
    const { content, structuredContent } = z.object({ result }).parse(call.body).result
    return { ...structuredContent, text: content[0].text }
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

  test("don't claim decay while a day of the four periods is missing", { tags: ['full'] }, async ({ imported }) => {
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

describe('days with totals only', () => {
  const names = { ...page, ...query }
  /** Days with totals before the last 14, which also have pages and queries. */
  const before = lastOf(28).slice(0, 14)
  const spanOf = (days: readonly string[]): string => `${days[0]}_${days.at(-1)}`

  test("are missing for lists, whose clicks aren't anonymized", async ({ imported, toolSays }) => {
    const ask = await imported(fileOf(lastOf(14), names), fileOf(before))
    const missing = { totals: { clicks: 1_400 }, gaps: [{ start: before[0], end: before.at(-1) }] }
    const summary = analyticsSummary.parse(await ask('/api/analytics/summary?range=28d&compare=none'))
    expect(summary).toMatchObject({ totals: { clicks: 2_800 }, gaps: [], keywords: missing, pages: missing })
    expect(brandSplit.parse(await ask('/api/brand/split?range=28d')).hidden).toEqual({ clicks: 0, impressions: 0 })
    const { hidden } = explored.parse(await ask('/api/explore?range=28d&by=query'))
    expect(hidden).toEqual({ clicks: 0, impressions: 0, totals: { clicks: 1_400, impressions: 14_000 } })
    const said = await toolSays(ask, 'list_keywords', { days: 28, compare: 'none' })
    expect(said.missing).toEqual([`Data starts on ${lastOf(14)[0]}, so it doesn’t cover the whole period.`])
  })

  test("can't tell which keywords are new or lost", { tags: ['full'] }, async ({ imported, toolSays }) => {
    const ask = await imported(fileOf(lastOf(14), names), fileOf(before))
    const rows = async (path: string) => keywords.parse(await ask(`/api/keywords?${path}`))
    expect(await rows(`range=${spanOf(lastOf(14))}&presence=new`)).toEqual([])
    expect(await rows(`range=${spanOf(before)}&compare=${lastOf(14)[0]}&presence=lost`)).toEqual([])
    const file = String(await ask(`/api/keywords/export.csv?range=${spanOf(lastOf(14))}&presence=new`))
    expect(file.trim().split('\n')).toHaveLength(1)
    expect(await toolSays(ask, 'list_keywords', { presence: 'new', days: 28 })).toMatchObject({ keywords: [], comparedWith: null })
    // Nothing was there before, and that is stored.
    const known = await imported(fileOf(lastOf(7), names), fileOf(lastOf(14).slice(0, 7), { ...page, query: 'desk' }))
    expect(keywords.parse(await known('/api/keywords?presence=new'))).toMatchObject([{ query: 'oak lamp' }])
    expect(keywords.parse(await known('/api/keywords?presence=lost'))).toMatchObject([{ query: 'desk', previous: { clicks: 700 } }])
    expect(keywords.parse(await known('/api/keywords?presence=lost&compare=none'))).toEqual([])
  })

  test("a segment by page can't tell it either where queries aren't stored by page", { tags: ['full'] }, async ({ imported, toolSays }) => {
    const ask = await imported(fileOf(lastOf(14), query), fileOf(lastOf(7), names))
    const saved = { kind: 'segment', name: 'Lamps', content: 'page contains lamp' }
    const { id } = (await ask.person.send('POST', '/api/explore/saved', saved)).body as { id: string }
    expect(keywords.parse(await ask(`/api/keywords?segment=${id}`))).toHaveLength(1)
    expect(keywords.parse(await ask(`/api/keywords?segment=${id}&presence=new`))).toEqual([])
    const comparedWith = async (tool: string, asked: object) => (await toolSays(ask, tool, { days: 7, ...asked })).comparedWith
    expect(await comparedWith('list_keywords', {})).not.toBeNull()
    expect(await comparedWith('list_keywords', { segment: 'Lamps' })).toBeNull()
    expect(await comparedWith('opportunities', { segment: 'Lamps' })).toBeNull()
  })

  test('don’t lower the scores in a segment by page: only days with queries by page count', async ({ imported }) => {
    const [whole, named] = [
      { start: '2026-03-02', end: '2026-03-08' },
      { start: '2026-03-05', end: '2026-03-08' },
    ].map(({ start, end }) => eachDay(start, end)) as [string[], string[]]
    const ask = await imported(fileOf(whole), fileOf(whole, page), fileOf(whole, query), fileOf(named, names))
    const saved = { kind: 'segment', name: 'Lamps', content: 'page contains lamp' }
    const { id } = (await ask.person.send('POST', '/api/explore/saved', saved)).body as { id: string }
    const scoreOn = async (days: readonly string[]) =>
      opportunities.parse(await ask(`/api/keywords/opportunities?segment=${id}&range=${spanOf(days)}`))[0]?.opportunityScore
    const score = await scoreOn(named)
    expect(score).toBeGreaterThan(0)
    expect(await scoreOn(whole)).toBe(score)
    const { advanced } = periodicReport.parse(await ask(`/api/reports/periodic?kind=week&start=${whole[0]}&segment=${id}`))
    expect(advanced?.opportunities).toMatchObject([{ opportunityScore: score }])
  })

  test("aren't compared by a tool that explains a day", { tags: ['full'] }, async ({ imported, toolSays }) => {
    const ask = await imported(fileOf(lastOf(10), names))
    expect(await toolSays(ask, 'explain_day', { date: lastOf(7)[0] })).toMatchObject({ totals: { clicks: 700 }, previousTotals: null })
  })

  test('of keywords and pages don’t keep that tool from comparing the totals', async ({ imported, toolSays }) => {
    const ask = await imported(fileOf(lastOf(14)))
    const said = await toolSays(ask, 'explain_day', { date: lastOf(7)[0] })
    expect(said).toMatchObject({ previousTotals: { clicks: 700 }, comparedWith: null })
    const weeks = [lastOf(7), lastOf(14).slice(0, 7)].map((days) => `${days[0]} to ${days.at(-1)}`)
    expect(said.text).toContain(`${weeks.join(' vs ')}: 700 clicks (was 700, `)
  })

  test('after the day are named by that tool, and not compared either', async ({ imported, toolSays }) => {
    const missing = ['2026-03-10', '2026-03-11']
    const ask = await imported(
      fileOf(
        lastOf(21).filter((day) => !missing.includes(day)),
        names,
      ),
    )
    const said = await toolSays(ask, 'explain_day', { date: lastOf(7)[0] })
    expect(said).toMatchObject({ totals: { clicks: 500 }, previousTotals: null })
    expect(said.missing).toContain('Not stored: 2026-03-10 to 2026-03-11. Totals of the two weeks are not compared.')
    expect(said.text).toContain(`${lastOf(7)[0]} to ${lastOf(7).at(-1)}: 500 clicks, `)
  })

  test("aren't weeks without clicks for a tool that sums by week", async ({ imported, toolSays }) => {
    const ask = await imported(fileOf(lastOf(17).filter((day) => day !== '2026-03-10')))
    const { text } = await toolSays(ask, 'site_performance', { days: 28 })
    expect(text).not.toContain('By week')
    expect(text).toContain('Data for 16 days')
    const whole = await imported(fileOf(lastOf(17)))
    expect((await toolSays(whole, 'site_performance', { days: 28 })).text).toContain(
      `By week, oldest first: ${lastOf(14)[0]} 700 clicks, 7,000 impressions, CTR 10.00%, position 4.0; ${lastOf(7)[0]} 700 clicks`,
    )
  })

  test("a missing day isn't a day without impressions", async ({ imported }) => {
    const ask = await imported(
      fileOf(
        lastOf(14).filter((day) => !['2026-03-02', '2026-03-10', '2026-03-11'].includes(day)),
        page,
      ),
      fileOf(lastOf(14)),
    )
    const gaps = [{ start: '2026-03-10', end: '2026-03-11' }]
    const days = async (about: string) => analyticsDays.parse(await ask(`/api/analytics/days?${about}`))
    const ofPage = await days(`page=${encodeURIComponent(page.page)}`)
    expect(ofPage).toMatchObject({ gaps, previousGaps: [{ start: '2026-03-02', end: '2026-03-02' }] })
    expect(await days('compare=none')).toMatchObject({ gaps: [], previousGaps: [] })
  })
})

describe('without figures to compare with', () => {
  const other = { page: 'https://shop.example/desk' }

  test('lists by change are in the order of the figure itself', { tags: ['full'] }, async ({ imported }) => {
    const rows = (days: readonly string[], clicks: number, of: string) => days.map((date) => [date, of, clicks, 1_000, 4].join(','))
    const week = lastOf(7)
    const before = lastOf(14).slice(0, 7)
    const ask = await imported(
      [
        'date,page,clicks,impressions,position',
        ...rows(before, 100, page.page),
        ...rows(week, 50, page.page),
        ...rows(week, 10, other.page),
      ].join('\n'),
    )
    const names = async (about: string) => pages.parse(await ask(`/api/pages?sort=clicksChange&${about}`)).map((row) => row.page)
    expect(await names('compare=previous')).toEqual([other.page, page.page])
    expect(await names('compare=none')).toEqual([page.page, other.page])
    expect(await names('range=28d')).toEqual([page.page, other.page])
  })

  test(
    'a stored day on which nothing was shown had zero, so the day compared with it is not new',
    { tags: ['full'] },
    async ({ imported, toolSays }) => {
      const ask = await imported(fileOf(lastOf(14), page), fileOf(lastOf(14).slice(7), other))
      const where = encodeURIComponent(`page is ${other.page}`)
      const { rows } = explored.parse(await ask(`/api/explore?range=7d&by=date&where=${where}`))
      expect(rows.map(({ clicks, previous }) => [clicks, previous?.clicks])).toEqual(lastOf(7).map(() => [100, 0]))
      expect(rows).toHaveLength(7)
      const said = await toolSays(ask, 'site_performance', { days: 28, page: other.page })
      expect(said.text).toContain(`${lastOf(14)[0]} 0 clicks`)
      expect(said.text).toContain(`Data for 14 days`)
      // Without a base there is no change.
      expect(await toolSays(ask, 'site_performance', { days: 7, page: other.page })).toMatchObject({
        previousTotals: { clicks: 0 },
        change: { clicksPercent: null, impressionsPercent: null, ctrPercent: null, positions: null },
      })
    },
  )
})
