import { extractText } from 'unpdf'
import { expect, vi } from 'vitest'
import { agencyTest, first, ok, refused, schedule, second, week } from '../../../test/support/agency.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import type { ComparedFigures } from '../../contract/figures.ts'
import { explored, type Grouping } from '../../contract/explore/explore.ts'
import { periodicReport } from '../../contract/reports/periodic.ts'
import { reportRun, reportSchedule, reportShareMade, sharedReport } from '../../contract/reports/reports.ts'

// Reports limited to a segment: the explorer's figures for the same filters and days.

// Drawing is slow while many tests run in parallel.
vi.setConfig({ testTimeout: 180_000 })

const test = agencyTest({ today: '2026-03-18', storedFrom: '2026-03-01' })
let count = 0
const save = async (person: Visitor, content: string, name = `Segment ${++count}`) =>
  ((await person.send('POST', '/api/explore/saved', { kind: 'segment', name, content })).body as { id: string }).id
const at = (property: string) => `property=${encodeURIComponent(property)}`
const plain = ({ clicks, impressions, ctr, position }: ComparedFigures) => ({ clicks, impressions, ctr, position })

test.for(['page not contains blog', 'query contains physio', 'page not contains blog\nquery contains physio'])(
  'with “%s”, every figure is the explorer’s',
  { tags: ['full'] },
  async (content, { owner }) => {
    const id = await save(owner, content)
    const explore = async (by: Grouping) => {
      const about = `range=${week.start}_${week.end}&compare=previous&limit=1000&segment=${id}&by=${by}&${at(first)}`
      return ok(explored, await owner.get(`/api/explore?${about}`))
    }
    const report = ok(periodicReport, await owner.get(`/api/reports/periodic?kind=week&start=${week.start}&segment=${id}&${at(first)}`))
    expect(report.segment).toMatch(/^Segment/)
    const [days, pages, queries] = [await explore('date'), await explore('page'), await explore('query')]
    expect(report.totals).toEqual(plain(days.totals))
    expect(report.totals.clicks).toBeGreaterThan(0)
    expect(report.days.map(({ clicks }) => clicks)).toEqual(
      days.rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ clicks }) => clicks),
    )
    for (const [list, found] of [
      [report.pages, pages],
      [report.keywords, queries],
    ] as const) {
      expect(list.count).toBe(found.rows.filter(({ impressions }) => impressions > 0).length)
      expect(list.top.length).toBeGreaterThan(0)
      const rows = new Map(found.rows.map((row) => [row.name, plain(row)]))
      for (const { name, ...figures } of list.top) expect(plain(figures)).toEqual(rows.get(name))
    }
    const names = new Set(queries.rows.map(({ name }) => name))
    expect(report.advanced!.opportunities.filter(({ query }) => !names.has(query))).toEqual([])
    const whole = ok(periodicReport, await owner.get(`/api/reports/periodic?kind=week&start=${week.start}&${at(first)}`))
    expect(whole.segment).toBeUndefined()
    expect(whole.totals).not.toEqual(report.totals)
  },
)

test(
  'a PDF, a link and a schedule name their segment and are limited to it',
  { tags: ['full'] },
  async ({ owner, desk: { bytesOf, finished, agreed, lookNow, runs, sql } }) => {
    const segment = await save(owner, 'page not contains blog', 'Without blog')
    const about = { subject: { property: first }, kind: 'week', start: week.start, segment }
    const run = await finished(ok(reportRun, await owner.send('POST', '/api/report-runs', { ...about, paper: 'a4' })).id)
    expect(run).toMatchObject({ state: 'done', title: `${first} · Without blog` })
    const { text } = await extractText(new Uint8Array((await bytesOf(`/api/report-runs/${run.id}/report.pdf`, owner)).bytes), {
      mergePages: true,
    })
    expect(text).toContain('Without blog')

    const made = ok(reportShareMade, await owner.send('POST', '/api/report-shares', { ...about, days: 7 }))
    const shared = ok(sharedReport, await owner.get(new URL(made.url).pathname.replace('/shared/', '/api/shared/')))
    const own = ok(periodicReport, await owner.get(`/api/reports/periodic?kind=week&start=${week.start}&segment=${segment}&${at(first)}`))
    expect(shared).toMatchObject({ title: `${first} · Without blog`, reports: [{ segment: 'Without blog', totals: own.totals }] })

    const planned = ok(reportSchedule, await owner.send('POST', '/api/report-schedules', schedule({ segment })))
    expect(planned).toMatchObject({ segment, title: `${first} · Without blog` })
    await sql(`UPDATE report_schedules SET first_start = $2 WHERE id = $1`, [planned.id, week.start])
    await agreed()
    await lookNow()
    const due = (await runs()).find(({ recipients }) => recipients > 0)
    expect(await finished(due!.id)).toMatchObject({ state: 'done', title: `${first} · Without blog`, period: week })

    expect(refused(await owner.send('DELETE', `/api/explore/saved/${segment}`))).toEqual([
      409,
      `This segment is used by the scheduled report on ${first}. Choose another segment in those places first.`,
    ])
    await owner.send('DELETE', `/api/report-schedules/${planned.id}`)
    expect((await owner.send('DELETE', `/api/explore/saved/${segment}`)).status).toBe(204)
    // Files and links keep what they were made with.
    const later = ok(sharedReport, await owner.get(new URL(made.url).pathname.replace('/shared/', '/api/shared/')))
    expect(later.reports).toMatchObject([{ segment: 'Without blog', totals: own.totals }])
  },
)

test('a segment of devices, of figures, or of another account is refused everywhere', async ({ owner, stranger }) => {
  const [device, bound, other] = [
    await save(owner, 'device is MOBILE'),
    await save(owner, 'clicks from 5'),
    await save(stranger, 'page contains a'),
  ]
  const messages = [
    'Google doesn’t break down device data by page',
    'Reports can’t use a segment that filters by clicks. Choose another segment.',
  ]
  for (const [segment, status, message] of [
    [device, 400, messages[0]],
    [bound, 400, messages[1]],
    [other, 404, 'This segment doesn’t exist.'],
  ] as const) {
    const about = { subject: { property: second }, kind: 'week', segment }
    const answers = [
      await owner.get(`/api/reports/periodic?kind=week&segment=${segment}&${at(second)}`),
      await owner.send('POST', '/api/report-runs', { ...about, paper: 'a4' }),
      await owner.send('POST', '/api/report-shares', { ...about, days: 7 }),
      await owner.send('POST', '/api/report-schedules', schedule({ segment })),
    ]
    expect(answers.map(refused)).toEqual(answers.map(() => [status, message]))
  }
})
