// The explorer as an analyst uses it: from 16 months by week to a page's queries, saved, shared and exported, always with Google's figures.
import type { Page } from 'playwright-core'
import type { Totals } from '../../src/core/analytics/totals.ts'
import { addDays, eachDay, monthsBefore } from '../../src/core/analytics/days.ts'
import { reportPeriodOf } from '../../src/core/analytics/report-periods.ts'
import { formatPeriod } from '../../src/web/lib/dates.ts'
import { formatChange, formatCount, formatCtr, formatPosition } from '../../src/web/lib/format.ts'
import { choose, chooseLonger, exported, rowsOf, wide } from '../support/analytics-screens.ts'
import { startTestApp } from '../support/app.ts'
import { expectText, expectToast, expectVisible } from '../support/browser-expect.ts'
import { expect, journeyTest } from '../support/journey-test.ts'
import type { ControlTotals } from '../support/google-control.ts'
import { newPerson } from '../support/people.ts'
import { storeHistory, watchedAtOnce } from '../support/stored-history.ts'

const site = 'https://analyst.example/'
const [end, today] = ['2026-03-16', '2026-03-18']
const period = { start: addDays(monthsBefore(end, 16), 1), end }
/** A year of whole weeks, so that weekdays match. */
const year = 364
const before = { start: addDays(period.start, -year), end: addDays(end, -year) }
const word = 'physio'
/** All rows are scrolled through to be read. */
const slowly = { timeout: 60_000 }

/** Google keeps 16 months, so the year before was stored a year ago. */
const [aYearAgo, since] = ['2025-03-18', '2025-03-01']

const dimensions = ['date', 'date,query', 'date,query,page'] as const
type Dimensions = (typeof dimensions)[number]

const test = journeyTest({}, () => startTestApp({ today, demo: false })).extend('site', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'local' } })
  const rows = new Map<Dimensions, ControlTotals['rows']>()
  const add = async (start: string, until: string) => {
    for (const dims of dimensions) {
      const answer = await app.google.totals({ site, start, end: until, dims })
      rows.set(dims, [...(rows.get(dims) ?? []), ...answer.rows])
    }
  }
  await app.google.setToday(aYearAgo)
  await storeHistory(app, site, { from: before.start })
  await add(before.start, addDays(since, -1))
  await app.google.setToday(today)
  await watchedAtOnce(app, site, { from: since })
  await add(since, end)
  return { owner, rowsAtGoogle: (dims: Dimensions) => rows.get(dims) ?? [] }
})

type Sum = Totals & { positionSum: number }
/** What the stand-in has for a key in both periods; null without impressions. */
type Compared = { now: Sum | null; was: Sum | null }

const nothing: Compared = { now: null, was: null }
function plus(sum: Sum | null, row: { clicks: number; impressions: number; position?: number | undefined }): Sum {
  const clicks = (sum?.clicks ?? 0) + row.clicks
  const impressions = (sum?.impressions ?? 0) + row.impressions
  const positionSum = (sum?.positionSum ?? 0) + row.impressions * (row.position ?? 0)
  return { clicks, impressions, positionSum, ctr: clicks / impressions, position: positionSum / impressions }
}

/** All rows together. */
const totalOf = (sums: ReadonlyMap<string, Compared>): Compared =>
  [...sums.values()].reduce<Compared>(
    (all, { now, was }) => ({ now: now ? added(all.now, now) : all.now, was: was ? added(all.was, was) : all.was }),
    nothing,
  )
const added = (sum: Sum | null, { positionSum, ...row }: Sum): Sum => plus(sum, { ...row, position: positionSum / row.impressions })

const changeOf = ({ now, was }: Compared): number => (now?.clicks ?? 0) - (was?.clicks ?? 0)

/** A row's cells without the words around the figures: each with its previous value, and the change of clicks. */
const expectedCells = ({ now, was }: Compared) => {
  const figure = (of: (sum: Sum) => string, none: string) => [now ? of(now) : none, was ? of(was) : 'new']
  const change = !was || was.clicks === 0 ? null : (((now?.clicks ?? 0) - was.clicks) / was.clicks) * 100
  return [
    [...figure(({ clicks }) => formatCount(clicks), '0'), change === null ? '' : formatChange(change)],
    figure(({ impressions }) => formatCount(impressions), '0'),
    figure(({ ctr }) => formatCtr(ctr), '0.00%'),
    figure(({ position }) => formatPosition(position), '–'),
  ]
}

/** The rows on screen: text, and cells as in `expectedCells`. */
async function shownRows(page: Page) {
  const rows = await rowsOf(page, 'Explore results')
  return rows.map(({ shown, cells }) => ({
    shown,
    // After the four figures comes a line without text.
    cells: cells.slice(0, 4).map((cell, at) => {
      const [, now = '', was = 'new', change = ''] = /^(\S+)(?: previously (\S+)| new)(?: \D*([\d.,]+%)?.*)?$/.exec(cell) ?? []
      return at === 0 ? [now, was, change] : [now, was]
    }),
  }))
}

/** The totals above the rows. */
async function expectTotals(page: Page, sums: ReadonlyMap<string, Compared>): Promise<void> {
  const { now, was } = totalOf(sums)
  if (now === null || was === null) throw new Error('Nothing to add up')
  const totals = page.locator('dl[aria-label="Totals"] > div')
  const said = (name: string, of: (sum: Sum) => string) => new RegExp(`^${name} ${of(now)} previously ${of(was)} `)
  await expectText(
    totals.nth(0),
    said('Clicks', ({ clicks }) => formatCount(clicks)),
  )
  await expectText(
    totals.nth(1),
    said('Impressions', ({ impressions }) => formatCount(impressions)),
  )
  await expectText(
    totals.nth(2),
    said('CTR', ({ ctr }) => formatCtr(ctr)),
  )
  await expectText(
    totals.nth(3),
    said('Position', ({ position }) => formatPosition(position)),
  )
}

const figureNames = ['clicks', 'impressions', 'ctr', 'position'] as const

/** A file's figures of a row in one period; null without any. */
function sumIn(row: Record<string, string>, prefix = ''): Sum | null {
  const [clicks = 0, impressions = 0, ctr = 0, position = 0] = figureNames.map((name) => Number(row[prefix + name]))
  return row[`${prefix}impressions`] === '' || impressions === 0 ? null : { clicks, impressions, ctr, position, positionSum: 0 }
}

test(
  '16 months by week against the year before, narrowed down to a page, saved, shared and exported',
  { tags: ['full'] },
  async ({ site: { owner, rowsAtGoogle }, visitAs }) => {
    /** The stand-in's figures in both periods, by a key of the day and its dimensions; null leaves a row out. */
    function atGoogle(dims: Dimensions, keyOf: (day: string, keys: string[]) => string | null): Map<string, Compared> {
      const sums = new Map<string, Compared>()
      for (const {
        keys: [date = '', ...keys],
        ...row
      } of rowsAtGoogle(dims)) {
        const add = (day: string, which: keyof Compared) => {
          const key = keyOf(day, keys)
          const sum = key === null ? nothing : (sums.get(key) ?? nothing)
          if (key !== null) sums.set(key, { ...sum, [which]: plus(sum[which], row) })
        }
        if (date >= period.start) add(date, 'now')
        if (date <= before.end) add(addDays(date, year), 'was')
      }
      return sums
    }
    const weekOf = (day: string): string => reportPeriodOf('week', day).start
    const weeks = [...new Set(eachDay(period.start, end).map(weekOf))].toReversed()
    const weekRows = (sums: ReadonlyMap<string, Compared>) =>
      weeks.map((monday) => ({
        shown: formatPeriod(
          { start: monday < period.start ? period.start : monday, end: addDays(monday, 6) > end ? end : addDays(monday, 6) },
          true,
        ),
        cells: expectedCells(sums.get(monday) ?? nothing),
      }))
    const has = (query = ''): boolean => query.includes(word)

    const page = await visitAs(owner, '/explore', wide)
    await chooseLonger(page, 'Last 16 months')
    await choose(page, page, 'Compare', 'vs previous year')
    await choose(page, page, 'Group by', 'By date')
    await choose(page, page, 'Interval', 'By week')
    const all = atGoogle('date', weekOf)
    await expect.poll(() => shownRows(page), slowly).toEqual(weekRows(all))
    await expectVisible(page.getByText(`${formatPeriod(period, true)} vs ${formatPeriod(before, true)}`, { exact: true }))
    await expectTotals(page, all)

    // Its clicks, and what no query covers.
    await page.getByRole('button', { name: 'Add filter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add filter' })
    await dialog.getByRole('textbox', { name: 'Value' }).fill(word)
    await dialog.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('button', { name: 'Segments', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save filters as segment…' }).click()
    await page.getByRole('textbox', { name: 'Segment name' }).fill('Physiotherapy')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expectVisible(page.getByRole('button', { name: 'Segment: Physiotherapy' }))
    const narrowed = atGoogle('date,query', (day, [query]) => (has(query) ? weekOf(day) : null))
    await expect.poll(() => shownRows(page), slowly).toEqual(weekRows(narrowed))
    const clicksOf = (sums: ReadonlyMap<string, Compared>): number => totalOf(sums).now?.clicks ?? 0
    const hidden = clicksOf(all) - clicksOf(atGoogle('date,query', weekOf))
    await expectVisible(page.getByText(`of clicks (${formatCount(hidden)}) and`))
    await expectTotals(page, narrowed)

    // Its pages, those that lost the most clicks first.
    await choose(page, page, 'Group by', 'By page')
    await page.getByRole('button', { name: 'Change in Clicks' }).click()
    await page.getByRole('button', { name: 'Change in Clicks' }).click()
    await expectVisible(page.getByRole('columnheader', { name: 'Clicks' }).and(page.locator('[aria-sort=ascending]')))
    const pages = atGoogle('date,query,page', (_, [query, of = '']) => (has(query) ? of : null))
    const pathOf = (of: string): string => new URL(of).pathname + new URL(of).search
    const lost = [...pages].toSorted(
      ([a, one], [b, other]) =>
        changeOf(one) - changeOf(other) ||
        (other.now?.clicks ?? 0) - (one.now?.clicks ?? 0) ||
        (other.now?.impressions ?? 0) - (one.now?.impressions ?? 0) ||
        (a < b ? -1 : 1),
    )
    await expect.poll(() => shownRows(page), slowly).toEqual(lost.map(([of, sums]) => ({ shown: pathOf(of), cells: expectedCells(sums) })))
    await expectTotals(page, pages)
    const [worst, figures] = lost[0]!
    expect(changeOf(figures)).toBeLessThan(0)

    // The page that lost most: its queries in the segment.
    await page.getByRole('table').getByRole('rowheader').first().getByRole('link').first().click()
    const queries = atGoogle('date,query,page', (_, [query = '', of]) => (of === worst && has(query) ? query : null))
    const expected = new Map([...queries].map(([query, sums]) => [query, expectedCells(sums)]))
    const sameQueries = async (on: Page) => {
      await expect.poll(async () => new Map((await shownRows(on)).map(({ shown, cells }) => [shown, cells])), slowly).toEqual(expected)
      await expectVisible(on.getByRole('button', { name: `Edit filter: Page is “${worst}”` }))
      await expectTotals(on, queries)
    }
    await sameQueries(page)

    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this view…' }).click()
    await page.getByRole('textbox', { name: 'View name' }).fill('Worst page')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expectToast(page, 'success', 'View Saved', 'Worst page')

    // A second browser, by the link and by the saved view.
    const second = await visitAs(owner, page.url(), wide)
    await sameQueries(second)
    await second.goto('/explore')
    await second.getByRole('button', { name: 'Views', exact: true }).click()
    await second.getByRole('menuitem', { name: 'Worst page' }).click()
    await sameQueries(second)
    expect(second.url()).toBe(page.url())

    const file = await exported(second)
    expect(file.name).toContain(`${period.start}-${period.end}`)
    const inFile = new Map(file.rows.map((row) => [row['query'] ?? '', { now: sumIn(row), was: sumIn(row, 'previous ') }]))
    // Every column is the stand-in's, to the last stored digit.
    expect(inFile.size).toBe(queries.size)
    for (const [query, { now, was }] of queries) {
      const found = inFile.get(query)
      for (const [sum, read] of [
        [now, found?.now],
        [was, found?.was],
      ] as const) {
        expect([query, read?.clicks, read?.impressions]).toEqual([query, sum?.clicks, sum?.impressions])
        if (sum === null) continue
        expect(read?.ctr, `CTR of ${query}`).toBeCloseTo(sum.ctr, 6)
        expect(read?.position, `position of ${query}`).toBeCloseTo(sum.position, 4)
      }
    }
    // And it is what the browser that exported it shows.
    const onScreen = new Map((await shownRows(second)).map(({ shown, cells }) => [shown, cells]))
    expect(new Map([...inFile].map(([query, sums]) => [query, expectedCells(sums)]))).toEqual(onScreen)
  },
)
