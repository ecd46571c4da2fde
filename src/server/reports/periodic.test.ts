import { describe, expect } from 'vitest'
import type { TestApp } from '../../../test/support/app.ts'
import { appTest } from '../../../test/support/app-test.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { newPerson, registered, select } from '../../../test/support/people.ts'
import { watch, watchedAtOnce } from '../../../test/support/stored-history.ts'
import { putAlerts, type StoredAlert } from '../../../test/support/stored-alerts.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { analyticsDays, analyticsSummary } from '../../contract/analytics.ts'
import type { RowFigures } from '../../contract/figures.ts'
import { keywords, opportunities } from '../../contract/keywords.ts'
import { pages } from '../../contract/pages.ts'
import { type PeriodicReport, periodicReport, reportPeriods, type ReportRow } from '../../contract/reports/periodic.ts'
import { eachDay } from '../../core/analytics/days.ts'

// Reports on weeks and months: same numbers as on the screens for the same days.

const site = 'https://harbour-lane.example/'
/** Another one, for which Google is a day faster. */
const early = 'https://early-lane.example/'
const imported = 'https://long-ago.example/'
const encoded = encodeURIComponent
const february = { start: '2026-02-01', end: '2026-02-28' }
const queryNamed = (name: string) => ({ kind: 'query', name }) as const
const week = { start: '2026-02-23', end: '2026-03-01' }

/** What somebody sees of their property, in a report and on screens. */
function readingOf(owner: Visitor, property: string) {
  async function report(query: string): Promise<PeriodicReport> {
    const { status, body } = await owner.get(`/api/reports/periodic?${query}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return periodicReport.parse(body)
  }
  const periods = async (query: string) => reportPeriods.parse((await owner.get(`/api/reports/periods?${query}`)).body)
  async function onScreens(days: 7 | 28) {
    const ask = async (path: string) =>
      (await owner.get(`${path}${path.includes('?') ? '&' : '?'}days=${days}&property=${encoded(property)}`)).body
    return {
      summary: analyticsSummary.parse(await ask('/api/analytics/summary')),
      days: analyticsDays.parse(await ask('/api/analytics/days')),
      pages: pages.parse(await ask('/api/pages?limit=1000')),
      keywords: keywords.parse(await ask('/api/keywords?limit=1000')),
      lost: keywords.parse(await ask('/api/keywords?limit=1000&presence=lost')),
      opportunities: opportunities.parse(await ask('/api/keywords/opportunities?limit=10')),
    }
  }

  return { report, periods, onScreens }
}
type Reports = ReturnType<typeof readingOf>
type Screens = Awaited<ReturnType<Reports['onScreens']>>

/** Stored since January 26, a Monday: covers February, but not all of the previous month. Complete up to `late` days before today. */
async function ownerSince(app: TestApp, property: string, late: number, email: string): Promise<Visitor> {
  const owner = await newPerson(app, { email, sites: { [property]: 'local' }, plan: 'pro' })
  await app.google.call('PUT', 'late', { site: property, days: late })
  await watchedAtOnce(app, property, { days: 37 })
  return owner
}

const test = appTest({ today: '2026-03-03', demo: false })
  // February is complete, but not the week it ends in.
  .extend('owner', { scope: 'file' }, ({ app }) => ownerSince(app, site, 3, 'owner@example.test'))
  .extend('reports', { scope: 'file' }, ({ owner }) => readingOf(owner, site))
  // That week, which ends on March 1, is complete too.
  .extend('ofWeeks', { scope: 'file' }, async ({ app }) => readingOf(await ownerSince(app, early, 2, 'early@example.test'), early))
  .extend('importCsv', { scope: 'file' }, ({ app, owner }) => {
    return async (property: string, csv: string): Promise<void> => {
      const form = new FormData()
      form.set('property', property)
      form.set('file', new Blob([csv]), 'days.csv')
      const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await fetch(`${app.url}/api/import`, { method: 'POST', body: form, headers: { cookie } })
      if (answer.status !== 200) throw new Error(await answer.text())
    }
  })

const figuresOf = ({ clicks, impressions, ctr, position }: RowFigures) => ({ clicks, impressions, ctr, position })
/** A page's figures as shown in SPEC §3. */
const shown = ({ clicks, impressions, ctr, position }: RowFigures) => ({
  clicks,
  impressions,
  ctr: (ctr * 100).toFixed(2),
  position: position.toFixed(1),
})
const zero = { clicks: 0, impressions: 0, ctr: 0, position: 0 }

function expectSameFigures(one: PeriodicReport, screens: Screens): void {
  const { summary } = screens
  expect(one.period).toEqual(summary.current)
  expect(one.completeThrough).toBe(summary.completeThrough)
  expect(one.totals).toEqual(summary.totals)
  expect(one.days).toEqual(screens.days.days)
  expect([one.pages.count, one.keywords.count]).toEqual([summary.pages.count, summary.keywords.count])
  expect(one.pages.top).toHaveLength(10)
  expect(one.pages.top.map((row) => ({ page: row.name, ...shown(row) }))).toEqual(
    screens.pages.slice(0, 10).map(({ page, clicks, impressions, ctr, position }) => ({ page, clicks, impressions, ctr, position })),
  )
  expect(one.keywords.top.map(({ name }) => name)).toEqual(screens.keywords.slice(0, 10).map(({ query }) => query))
  for (const [i, row] of one.keywords.top.entries()) expectFigures(row, screens.keywords[i]!)
  expect(one.advanced!.opportunities.map(({ query, page }) => [query, page])).toEqual(
    screens.opportunities.map(({ query, page }) => [query, page]),
  )
  for (const [i, row] of one.advanced!.opportunities.entries()) {
    expect(row.position).toBeCloseTo(screens.opportunities[i]!.position, 8)
    expect(row.opportunityScore).toBeCloseTo(screens.opportunities[i]!.opportunityScore, 8)
  }
}

/** Means are divided sums, which the engine may add up in a different order. */
function expectFigures(one: RowFigures, other: RowFigures): void {
  expect({ ...figuresOf(one), position: 0 }).toEqual({ ...figuresOf(other), position: 0 })
  expect(one.position).toBeCloseTo(other.position, 8)
}

describe('a month', () => {
  test('that equals the last 28 days has the same figures as the screens', async ({ reports: { report, onScreens } }) => {
    const [one, screens] = [await report('kind=month'), await onScreens(28)]
    expect(one).toMatchObject({ property: site, kind: 'month', period: february, advancedLocked: null })
    expect(one.advanced!.opportunities).toHaveLength(10)
    expectSameFigures(one, screens)
  })

  test('isn’t compared with half a month, nor with a year without stored days', async ({ reports: { report } }) => {
    const one = await report('kind=month')
    expect(one).toMatchObject({
      previous: { start: '2026-01-01', end: '2026-01-31' },
      lastYear: { start: '2025-02-01', end: '2025-02-28' },
      previousTotals: null,
      lastYearTotals: null,
      previousDays: [],
    })
    expect([...one.pages.top, ...one.keywords.top].every(({ previous }) => previous === null)).toBe(true)
    expect(one.advanced).toMatchObject({ pages: { rising: [], falling: [] }, keywords: { rising: [], falling: [] } })
  })

  test('can be reported on once all of its days are stored and complete', async ({ reports: { periods } }) => {
    expect(await periods('kind=month')).toEqual([february])
    const weeks = await periods('kind=week')
    expect(weeks[0]).toEqual({ start: '2026-02-16', end: '2026-02-22' })
    expect(weeks.at(-1)).toEqual({ start: '2026-01-26', end: '2026-02-01' })
    expect(weeks).toHaveLength(4)
  })

  test('before a property’s first data has no report, however far back its history is stored', async ({ app }) => {
    const young = 'https://young-lane.example/'
    const owner = await newPerson(app, { email: 'young@example.test', sites: { [young]: 'empty' }, plan: 'pro' })
    const rows = [{ query: 'a', page: `${young}a`, clicks: 3, impressions: 30, position: 2 }]
    await app.google.call('PUT', 'rows', { site: young, date: '2026-01-15', until: '2026-03-03', rows })
    await watchedAtOnce(app, young, { from: '2025-11-01' })
    const { periods } = readingOf(owner, young)
    expect((await periods('kind=month')).map(({ start }) => start)).toEqual(['2026-02-01', '2026-01-01'])
    expect((await periods('kind=week')).at(-1)).toEqual({ start: '2026-01-12', end: '2026-01-18' })
    expect(await owner.get('/api/reports/periodic?kind=month&start=2025-12-01')).toMatchObject({ status: 404 })
  })

  test('includes the notes of its days, and the incidents that may affect web search', async ({ app, owner, reports: { report } }) => {
    await runJob(app, 'ranking-incidents')
    for (const [date, text, property] of [
      ['2026-02-28', 'New shop', site],
      ['2026-02-01', 'Everywhere', null],
      ['2026-03-01', 'Too late', site],
      ['2026-01-31', 'Too early', null],
    ] as const) {
      expect((await owner.send('POST', '/api/annotations', { date, text, property })).status).toBe(201)
    }
    const { annotations } = await report('kind=month')
    expect(annotations.notes.map(({ text }) => text)).toEqual(['New shop', 'Everywhere'])
    const incidents = annotations.incidents.map(({ title }) => title)
    expect(incidents).toEqual(['Sample ranking update'])
  })

  test('lists the alerts about its days, and how they ended', async ({ app, owner, reports: { report } }) => {
    const ids = await putAlerts(app, site, [
      // Found on a day of January, and still there in February.
      {
        openedAt: '2026-01-20T12:00:00.000Z',
        severity: 'critical',
        change: -40,
        entity: queryNamed('back pain'),
        days: ['2026-01-17', '2026-02-20'],
      },
      // Opened in February about days of January, as a day is final after three.
      { openedAt: '2026-02-02T12:00:00.000Z', state: 'recovered', days: ['2026-01-30', '2026-01-31'] },
      { openedAt: '2026-01-31T12:00:00.000Z', state: 'recovered', days: ['2026-01-28', '2026-02-01'] },
      // Opened in March about the last day of February.
      { openedAt: '2026-03-03T12:00:00.000Z', state: 'acknowledged', entity: queryNamed('knee'), days: ['2026-02-28', '2026-03-05'] },
      { openedAt: '2026-03-04T00:00:00.000Z', entity: queryNamed('hip'), days: ['2026-03-01', '2026-03-05'] },
    ])
    const { advanced } = await report('kind=month')
    const reported = advanced!.alerts.filter(({ id }) => ids.includes(id))
    expect(reported.map(({ id }) => id)).toEqual([ids[3], ids[2], ids[0]])
    expect(reported.map(({ state, endedAt }) => [state, endedAt])).toEqual([
      ['acknowledged', null],
      ['recovered', '2026-02-01T12:00:00.000Z'],
      ['firing', null],
    ])
    expect(reported[2]).toMatchObject({
      severity: 'critical',
      change: -40,
      openedAt: '2026-01-20T12:00:00.000Z',
      day: '2026-01-17',
      entity: { kind: 'query', name: 'back pain' },
    })
    const listed = (await owner.get('/api/alerts?limit=500')).body as { id: string; title: string }[]
    expect(reported.map(({ id, title }) => ({ id, title }))).toEqual(
      reported.map(({ id }) => ({ id, title: listed.find((alert) => alert.id === id)!.title })),
    )
  })

  test(
    'lists an alert that is, or was, open only because of its other findings',
    { tags: ['full'] },
    async ({ app, ofWeeks: { report } }) => {
      const { sql } = await app.stores()
      const listed = async () => {
        const { alerts } = (await report('kind=week')).advanced!
        return alerts.filter(({ title }) => title.includes('cause of')).map(({ id, state }) => [id, state])
      }
      const found = { openedAt: '2026-02-10T12:00:00.000Z', days: ['2026-02-07', '2026-02-09'] } satisfies StoredAlert
      const [lead, part] = await putAlerts(app, early, [
        { ...found, entity: queryNamed('cause of it') },
        { ...found, entity: queryNamed('caused by it') },
      ])
      // The first came back on February 10; the second didn't.
      await sql('UPDATE alerts SET part_of = $1, judged_through = $3 WHERE id = $2', [lead, part, '2026-02-27'])
      expect(await listed()).toEqual([[lead, 'firing']])
      const recovered = "state = 'recovered', recovered_at = '2026-03-02T12:00:00Z'"
      await sql(`UPDATE alerts SET ${recovered}, ended = '{"reason": "back"}' WHERE id = any($1)`, [[lead, part]])
      expect(await listed()).toEqual([[lead, 'recovered']])
      await sql('UPDATE alerts SET judged_through = $2 WHERE id = $1', [part, '2026-02-12'])
      expect(await listed()).toEqual([])
    },
  )

  test(
    'leaves out what final or revised data no longer shows, and says of the others whether they recovered',
    { tags: ['full'] },
    async ({ app, ofWeeks: { report } }) => {
      const before = (await report('kind=month')).advanced!.alertCount
      const ending = async (name: string, reason: string, lead?: string) => {
        const found = { openedAt: '2026-02-24T12:00:00.000Z', state: 'recovered', days: ['2026-02-21', '2026-02-24'] } satisfies StoredAlert
        const [id] = await putAlerts(app, early, [{ ...found, entity: queryNamed(name) }])
        const { sql } = await app.stores()
        await sql('UPDATE alerts SET ended = $2, part_of = $3 WHERE id = $1', [id, JSON.stringify({ reason }), lead ?? null])
        return id!
      }
      await ending('never happened', 'day_withdrew')
      await ending('revised away', 'revised')
      const lead = await ending('revised, but not its part', 'revised')
      await ending('its part', 'back', lead)
      const kept = {
        [await ending('came back', 'back')]: 'recovered',
        [await ending('lower now', 'new_level')]: 'settled',
        [lead]: 'revised',
      }
      const { advanced } = await report('kind=month')
      expect(advanced!.alertCount).toBe(before + 3)
      const those = advanced!.alerts.filter(({ openedAt }) => openedAt === '2026-02-24T12:00:00.000Z')
      expect(Object.fromEntries(those.map(({ id, endedAs }) => [id, endedAs]))).toEqual(kept)
    },
  )

  test('with more alerts than it lists says how many there were', { tags: ['full'] }, async ({ app, ofWeeks: { report } }) => {
    const many = Array.from({ length: 55 }, (_, i) => ({
      openedAt: new Date(Date.UTC(2026, 1, 10, 12, i)).toISOString(),
      entity: queryNamed(`one of many ${i}`),
      days: ['2026-02-07', '2026-02-07'] satisfies [string, string],
    }))
    const before = (await report('kind=month')).advanced!.alertCount
    await putAlerts(app, early, many)
    const { advanced } = await report('kind=month')
    expect(advanced).toMatchObject({ alertCount: before + 55 })
    expect(advanced!.alerts).toHaveLength(50)
  })
})

describe('a week', () => {
  test(
    'that equals the last 7 days has the same figures as the screens',
    { tags: ['full'] },
    async ({ ofWeeks: { report, onScreens } }) => {
      const [one, screens] = [await report('kind=week'), await onScreens(7)]
      expect(one.period).toEqual(week)
      expectSameFigures(one, screens)
      expect(one.previous).toEqual(screens.summary.previous)
      expect(one.previousTotals).toEqual(screens.summary.previousTotals)
      expect(one.previousDays).toEqual(screens.days.previousDays)
      expect(one.lastYear).toEqual({ start: '2025-02-24', end: '2025-03-02' })
      expect(one.lastYearTotals).toBeNull()
      for (const row of [...one.pages.top, ...one.advanced!.pages.rising]) {
        const screen = screens.pages.find(({ page }) => page === row.name)!
        expect(shown(row.previous!)).toEqual(screen.previous ?? shown(zero))
      }
    },
  )

  test('lists the rising and falling keywords, including new and lost ones, by their change in clicks', async ({
    ofWeeks: { report, onScreens },
  }) => {
    const [{ advanced }, screens] = [await report('kind=week'), await onScreens(7)]
    const all = [...screens.keywords, ...screens.lost]
    expect(screens.keywords.length).toBeLessThan(1_000)
    const gained = (row: { clicks: number; previous: RowFigures | null }) => row.clicks - (row.previous?.clicks ?? 0)
    for (const [list, sign] of [
      [advanced!.keywords.rising, 1],
      [advanced!.keywords.falling, -1],
    ] as const) {
      const moved = all.filter((row) => sign * gained(row) > 0)
      expect(moved.length).toBeGreaterThan(10)
      const most = moved.map((row) => sign * gained(row)).toSorted((a, b) => b - a)
      expect(list.map((row) => sign * gained(row))).toEqual(most.slice(0, 10))
      for (const row of list)
        expectRow(
          row,
          all.find(({ query }) => query === row.name)!,
        )
    }
  })

  test('further back can be requested by its first day', async ({ app, ofWeeks: { report } }) => {
    const one = await report('kind=week&start=2026-01-26')
    expect(one).toMatchObject({ period: { start: '2026-01-26', end: '2026-02-01' }, completeThrough: '2026-03-01' })
    const { total } = await app.google.totals({ site: early, ...one.period })
    expect(one.totals).toMatchObject({ clicks: total.clicks, impressions: total.impressions })
    expect(one.previousTotals).toBeNull()
  })

  function expectRow(row: ReportRow, screen: { previous: RowFigures | null } & RowFigures): void {
    expectFigures(row, screen)
    expectFigures(row.previous!, screen.previous ?? zero)
  }
})

describe('years of history', () => {
  const day = (date: string, clicks: number) => `${date},lamp,${imported}lamp,${clicks},${clicks * 10},4\n`
  /** A lamp with twice the clicks from 2026 on, and one sold in January only. One day is missing. */
  const rows = eachDay('2025-01-01', '2026-03-03')
    .filter((date) => date !== '2025-06-15')
    .map(
      (date) => `${day(date, date < '2026-01-01' ? 3 : 6)}${date.startsWith('2026-01') ? `${date},old lamp,${imported}old,2,20,9\n` : ''}`,
    )

  test.beforeAll(({ importCsv }) => importCsv(imported, `date,query,page,clicks,impressions,position\n${rows.join('')}`))
  const of = (report: Reports['report'], query: string) => report(`property=${encoded(imported)}&${query}`)

  test('are used to compare a month with last year', async ({ reports: { report } }) => {
    const one = await of(report, 'kind=month')
    expect(one).toMatchObject({
      period: february,
      totals: { clicks: 28 * 6, impressions: 28 * 60 },
      previousTotals: { clicks: 31 * 8, impressions: 31 * 80 },
      lastYear: { start: '2025-02-01', end: '2025-02-28' },
      lastYearTotals: { clicks: 28 * 3, impressions: 28 * 30, position: 4 },
    })
    expect(one.previousDays).toHaveLength(31)
    expect(one.keywords).toMatchObject({
      count: 1,
      top: [{ name: 'lamp', clicks: 168, previous: { clicks: 186 } }],
      stored: true,
      compared: true,
    })
    expect(one.advanced!.keywords).toMatchObject({
      rising: [],
      falling: [
        { name: 'old lamp', clicks: 0, impressions: 0, position: 0, previous: { clicks: 62, impressions: 620, position: 9 } },
        { name: 'lamp', previous: { clicks: 186 } },
      ],
    })
    expect(one.advanced!.pages.falling.map(({ name }) => name)).toEqual([`${imported}old`, `${imported}lamp`])
  })

  test('say what is new', async ({ reports: { report } }) => {
    const { advanced } = await of(report, 'kind=month&start=2026-01-01')
    expect(advanced!.keywords.rising).toMatchObject([
      { name: 'lamp', clicks: 186, previous: { clicks: 93 } },
      { name: 'old lamp', clicks: 62, previous: { clicks: 0, impressions: 0, ctr: 0, position: 0 } },
    ])
  })

  test('skip a month or week with a missing day, and comparisons with it', async ({ reports: { report, periods } }) => {
    const months = (await periods(`kind=month&property=${encoded(imported)}`)).map(({ start }) => start)
    expect(months).toHaveLength(13)
    expect(months).not.toContain('2025-06-01')
    expect(await periods(`kind=week&property=${encoded(imported)}`)).not.toContainEqual({ start: '2025-06-09', end: '2025-06-15' })
    expect(await of(report, 'kind=month&start=2025-07-01')).toMatchObject({ previousTotals: null, previousDays: [] })
    expect(await of(report, 'kind=week&start=2025-06-16')).toMatchObject({ previousTotals: null, advanced: { keywords: { falling: [] } } })
  })
})

test('keywords aren’t compared with a month for which only totals are stored', async ({ reports: { report }, importCsv }) => {
  const totals = 'https://totals.example/'
  const chart = eachDay('2026-01-01', '2026-03-01').map((date) => `${date},5,50,4\n`)
  await importCsv(totals, `date,clicks,impressions,position\n${chart.join('')}`)
  const ofMonth = async () => report(`property=${encoded(totals)}&kind=month`)
  const unknown = { count: 0, top: [], stored: false, compared: false }
  expect(await ofMonth()).toMatchObject({ totals: { clicks: 140 }, keywords: unknown, pages: unknown })
  const details = eachDay(february.start, february.end).map((date) => `${date},lamp,${totals},5,50,4\n`)
  await importCsv(totals, `date,query,page,clicks,impressions,position\n${details.join('')}`)
  expect(await ofMonth()).toMatchObject({
    previousTotals: { clicks: 155 },
    keywords: { count: 1, top: [{ name: 'lamp', clicks: 140, previous: null }], stored: true, compared: false },
    pages: { top: [{ name: totals, previous: null }], stored: true, compared: false },
    advanced: { keywords: { rising: [], falling: [] }, pages: { rising: [] } },
  })
})

describe('access', () => {
  test('Free has the summary without movers, opportunities and alerts, and says which plans include them', async ({
    app,
    reports: { report },
  }) => {
    const { sql } = await app.stores()
    const whole = await report('kind=month')
    await sql(`UPDATE people SET plan = 'free'`)
    const basic = await report('kind=month')
    await sql(`UPDATE people SET plan = 'pro'`)
    expect(basic.advancedLocked).toBe(
      'Your Free plan includes the monthly summary only. Full reports are available on Pro and Agency plans.',
    )
    expect(basic).toEqual({ ...whole, advanced: null, advancedLocked: basic.advancedLocked })
  })

  test.for([
    ['kind=week&start=2026-02-24', 400, 'A week starts on a Monday'],
    ['kind=month&start=2026-02-02', 400, 'A month starts on its first day'],
    ['kind=week&start=2026-03-02', 404, 'the week of 2026-03-02'],
    ['kind=month&start=2026-01-01', 404, 'the month of 2026-01-01'],
    ['kind=month&start=2026-02-30', 400, ''],
    ['kind=year', 400, ''],
  ] as const)('%s is refused with a message', async ([query, status, words], { owner }) => {
    await select(owner, site)
    const answer = await owner.get(`/api/reports/periodic?${query}`)
    expect(answer.status).toBe(status)
    expect((answer.body as { message: string }).message).toContain(words)
  })

  test('someone else’s property doesn’t exist', async ({ app, reports: { periods } }) => {
    expect(await periods('kind=month')).toEqual([february])
    const stranger = await registered(app, 'stranger')
    for (const what of ['periods', 'periodic']) {
      const answer = await stranger.get(`/api/reports/${what}?property=${encoded(site)}`)
      expect(answer).toMatchObject({ status: 404, body: { field: 'property' } })
    }
  })

  test('there is no report without a selected property or a complete month', async ({ app }) => {
    const newcomer = await registered(app, 'newcomer')
    expect(await newcomer.get('/api/reports/periodic')).toMatchObject({ status: 200, body: null })
    expect(await newcomer.get('/api/reports/periods')).toMatchObject({ status: 200, body: [] })
    const empty = 'https://no-data.example/'
    const beginner = await newPerson(app, { email: 'beginner@example.test', sites: { [empty]: 'empty' } })
    await watch(app, empty)
    expect(await beginner.get('/api/reports/periodic')).toMatchObject({ status: 200, body: null })
    expect(await beginner.get('/api/reports/periods?kind=week')).toMatchObject({ status: 200, body: [] })
  })
})
