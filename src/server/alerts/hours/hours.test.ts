import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { pacificHour, pacificHours } from '../../../core/analytics/pacific-hours.ts'

// Instant alerts on the real stores without the rest of the server: what their hours and their final days change.

/** A Wednesday; the Sunday before it is the last final day. */
const today = '2026-03-18'
const through = '2026-03-15'
const oldest = addDays(today, -120)
const hourly = 1_000
const drop: NewCondition = { type: 'clicks', title: 'Drop in clicks', monitor: 'site', threshold: 10 }
const unusual: NewCondition = { type: 'clicks', kind: 'unusual', title: 'Unusual clicks', monitor: 'site' }
let evaluated: EvaluatedSites
beforeAll(async () => void (evaluated = await openEvaluatedSites(`${today}T20:00:00Z`)))
afterAll(() => evaluated.close())
beforeEach(() => void (evaluated.announced.length = 0))

/** A site with the same clicks in every hour of the last four weeks. */
async function steady(name: string, rules: readonly NewCondition[]): Promise<EvaluatedSite> {
  const site = await evaluated.property(`https://${name}.example/`, { through, rules })
  await site.store(oldest, through, () => [{ page: '/', clicks: 24 * hourly }])
  await site.backfilled(oldest, oldest)
  for (const week of [1, 2, 3, 4]) await hours(site, addDays(today, -7 * week), Array(24).fill(hourly))
  await sql`INSERT INTO hour_syncs (property_id) VALUES (${site.id})`.execute(evaluated.stores.db)
  return site
}

async function hours(site: EvaluatedSite, date: string, clicks: readonly number[]): Promise<void> {
  const counted = pacificHours(date).flatMap((at, i) => {
    const of = clicks[i]
    if (of === undefined) return []
    return [{ at: at.toISOString(), date, hour: pacificHour(at), clicks: of, impressions: of * 10, positionSum: of * 30 }]
  })
  await (await evaluated.stores.facts.beginHours(site.id)).store(new Map([[date, counted]]))
}

/** Today's hours, from midnight on, as the sync stores them. */
async function soFar(site: EvaluatedSite, clicks: readonly number[]): Promise<void> {
  await hours(site, today, clicks)
  const last = pacificHours(today)[clicks.length - 1]
  await sql`UPDATE hour_syncs SET complete_through = ${last?.toISOString()} WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
  await evaluated.alerts.hoursChanged(site.id)
  await evaluated.alerts.runDue()
}

/** The days through this one are final, with these clicks on each of them; with those that are stored, if it isn't given. */
async function final(site: EvaluatedSite, day: string, clicksOf?: (date: string) => number): Promise<void> {
  if (clicksOf) await site.store(addDays(through, 1), day, (date) => [{ page: '/', clicks: clicksOf(date) }])
  await sql`UPDATE property_syncs SET complete_through = ${day}, facts_version = facts_version + 1 WHERE property_id = ${site.id}`.execute(
    evaluated.stores.db,
  )
  await evaluated.alerts.runDue()
}

const times = (count: number, clicks: number): number[] => Array(count).fill(clicks)
const shown = async (site: EvaluatedSite) =>
  (await site.list()).map(({ severity, state, change }) => [severity, state, Math.round(change ?? 0)])
const announcedSeverities = () =>
  evaluated.announced.map(({ opened, worsened }) => [opened, worsened].map((some) => some.map(({ severity }) => severity)))

test('an instant alert that becomes critical in later hours is announced as such, once', async () => {
  const site = await steady('worse', [unusual])
  await soFar(site, times(10, 450))
  expect(await shown(site)).toEqual([['warning', 'firing', -55]])
  await soFar(site, [...times(10, 450), ...times(10, 100)])
  expect((await shown(site))[0]?.slice(0, 2)).toEqual(['critical', 'firing'])
  await soFar(site, [...times(10, 450), ...times(11, 100)])
  expect(announcedSeverities()).toEqual([
    [['warning'], []],
    [[], ['critical']],
  ])
})

test('a site that dies while an alert about a mild drop is open is announced within hours, by that alert', { tags: ['full'] }, async () => {
  const site = await steady('dies', [drop, unusual])
  await site.store(addDays(through, -6), through, () => [{ page: '/', clicks: 24 * 880 }])
  await evaluated.alerts.runDue()
  const [mild] = await shown(site)
  expect(mild?.slice(1)).toEqual(['firing', -12])
  evaluated.announced.length = 0
  await soFar(site, times(12, 60))
  await soFar(site, times(14, 60))
  expect(await shown(site)).toEqual([['critical', 'firing', -12]])
  // Announced again each hour: anyone who knows of about as much isn't sent it twice (delivery/announcements.ts).
  const [first, second] = evaluated.announced.flatMap(({ worsened }) => worsened)
  expect(first).toMatchObject({ severity: 'critical', isMoreUrgent: true, soFar: 'so far on 18 Mar (through 12:00 Pacific)' })
  expect(first?.change).toBeLessThan(-90)
  expect(second?.isMoreUrgent).toBe(false)
  const [{ id } = { id: '' }] = await site.list()
  expect((await evaluated.alerts.report('u', id)).timeline.map(({ reason }) => reason)).toEqual(['condition_met', 'hours_worse'])
})

test.for<[string, number]>([
  ['own_back', 1],
  ['own_rule_changed', 0],
])(
  'a drop found by hours replaces an alert whose own change is over (%s), whose end is announced %i times',
  { tags: ['full'] },
  async ([reason, ends]) => {
    const site = await steady(reason.replace('_', '-'), [drop])
    await site.store(addDays(through, -6), through, () => [{ page: '/', clicks: 24 * 880 }])
    await evaluated.alerts.runDue()
    await sql`INSERT INTO alert_events (alert_id, from_state, to_state, reason, at)
    SELECT id, state, state, ${reason}, now() FROM alerts WHERE property_id = ${site.id}`.execute(evaluated.stores.db)
    evaluated.announced.length = 0
    await soFar(site, times(12, 60))
    expect((await shown(site)).map(([, state]) => state)).toEqual(['firing', 'recovered'])
    expect(evaluated.announced.map(({ opened, recovered }) => [opened.length, recovered.length])).toEqual([[1, ends]])
  },
)

test(
  "hours that show a site's death wake people, though its alert was critical only because of a small page",
  { tags: ['full'] },
  async () => {
    const site = await steady('small-page', [drop, unusual])
    await site.store(addDays(through, -6), through, () => [{ page: '/', clicks: 24 * 880 }])
    await evaluated.alerts.runDue()
    await sql`UPDATE alerts SET severity = 'critical', figures = figures || '{"interrupts": false}' WHERE property_id = ${site.id}`.execute(
      evaluated.stores.db,
    )
    evaluated.announced.length = 0
    await soFar(site, times(12, 60))
    await soFar(site, times(14, 60))
    expect(evaluated.announced.flatMap(({ worsened }) => worsened)).toMatchObject([
      { severity: 'critical', interrupts: true, isMoreUrgent: true },
      { severity: 'critical', interrupts: true, isMoreUrgent: false },
    ])
  },
)

test('an instant alert never becomes milder: not by later hours, nor by its final day', { tags: ['full'] }, async () => {
  const site = await steady('milder', [unusual])
  await soFar(site, times(10, 100))
  expect(await shown(site)).toEqual([['critical', 'firing', -90]])
  await soFar(site, [...times(10, 100), ...times(10, 800)])
  expect(await shown(site)).toEqual([['critical', 'firing', -55]])
  await final(site, today, (date) => 24 * (date === today ? 550 : hourly))
  expect((await site.list()).map(({ severity, hours: of }) => [severity, of?.status])).toEqual([['critical', 'confirmed']])
  expect(announcedSeverities()).toEqual([[['critical'], []]])
})

test(
  'an instant alert stays critical when its week is found as well, and keeps its day when the week has risen',
  { tags: ['full'] },
  async () => {
    const fell = await steady('week-fell', [drop])
    const rose = await steady('week-rose', [{ ...drop, direction: 'both' }])
    for (const site of [fell, rose]) await soFar(site, times(20, 100))
    await final(fell, today, (date) => 24 * (date === today ? 100 : hourly))
    await final(rose, today, (date) => 24 * (date === today ? 100 : 2.5 * hourly))
    const facts = async (site: EvaluatedSite) =>
      (await site.list()).map(({ severity, change, current }) => [severity, Math.sign(change ?? 0), current?.start])
    // Its week: a drop of 13%, which is merely informational by itself.
    expect(await facts(fell)).toEqual([['critical', -1, addDays(today, -6)]])
    expect(await facts(rose)).toEqual([['critical', -1, today]])
    expect(announcedSeverities()).toEqual([
      [['critical'], []],
      [['critical'], []],
    ])
  },
)

test('a confirmed day is explained by the same weekday of the week before, and only a later change of its figures is a revision', async () => {
  const site = await steady('why', [{ ...drop, threshold: 15 }])
  for (const count of [10, 24]) await soFar(site, times(count, 100))
  await final(site, today, (date) => 24 * (date === today ? 100 : hourly))
  const report = async () => {
    const [{ id } = { id: '' }] = await site.list()
    return evaluated.alerts.report('u', id)
  }
  const { hours: of, breakdown, why, coincidences, description } = await report()
  expect(description).toContain('First seen in hourly data at 10:00 Pacific')
  expect(of).toMatchObject({ weeks: 4, status: 'confirmed' })
  expect([breakdown?.previous, breakdown?.current]).toEqual([24 * hourly, 24 * 100])
  expect(why).toBe('Compared with 11 Mar, mainly fewer impressions at the same positions (−21,600).')
  expect(coincidences ?? []).toEqual([])
  await final(site, today, (date) => 24 * (date === today ? 90 : hourly))
  expect((await report()).coincidences?.map(({ kind }) => kind)).toEqual(['revised_data'])
})

test(
  'an alert whose days stay lower than before settles at their clicks a day, not at those of its morning',
  { tags: ['full'] },
  async () => {
    const site = await steady('lower', [{ ...drop, threshold: 30 }])
    await soFar(site, times(5, 50))
    await final(site, today, (date) => 24 * (date === today ? 400 : hourly))
    await final(site, addDays(today, 7), (date) => 24 * (date < today ? hourly : date === today ? 400 : 800))
    const [{ id, ended } = { id: '', ended: undefined }] = await site.list()
    expect(ended).toMatchObject({ as: 'settled', level: { value: 24 * 800, before: expect.closeTo(24 * hourly), days: 1 } })
    expect((await evaluated.alerts.report('u', id)).timeline.at(-1)?.detail).toBe('19,200 clicks a day, was 24,000.')
  },
)

test('a night whose clicks are still missing on the final day is confirmed and ends with the next day; one whose hours Google filled in is withdrawn', async () => {
  const [real, late] = [await steady('night', [drop]), await steady('late-night', [drop])]
  const ends = async (site: EvaluatedSite) =>
    (await site.list()).map(({ hours: of, change, ended }) => [of?.status, Math.round(change ?? 0), ended?.as])
  for (const site of [real, late]) await soFar(site, [...times(8, 20), ...times(1, hourly)])
  await hours(late, today, times(24, hourly))
  for (const site of [real, late]) await final(site, today, (date) => 24 * hourly - (date === today ? 8 * (hourly - 20) : 0))
  expect(await ends(real)).toEqual([['confirmed', -33, undefined]])
  expect(await ends(late)).toEqual([['withdrawn', -87, 'withdrawn']])
  await final(real, addDays(today, 1), () => 24 * hourly)
  expect(await ends(real)).toEqual([['confirmed', -33, 'recovered']])
})

describe('a page that falls while an instant alert about its site is open', () => {
  const pages: NewCondition = { type: 'clicks', title: 'Pages', monitor: 'pages', targets: ['/pricing'], threshold: 10 }
  const site = async (name: string) => {
    const made = await steady(name, [{ ...drop, threshold: 50 }, pages])
    const usual = [
      { page: '/', clicks: 20 * hourly },
      { page: '/pricing', clicks: 4 * hourly },
    ]
    await made.store(oldest, through, () => usual)
    await soFar(made, times(12, 60))
    evaluated.announced.length = 0
    /** As `final`; without clicks on the page that falls from this day on. */
    const finalFrom = async (day: string, gone: string, dead?: string) => {
      const of = (date: string) => (date === dead ? [{ page: '/', clicks: 24 * 60 }] : date < gone ? usual : usual.slice(0, 1))
      await made.store(addDays(through, 1), day, of)
      await final(made, day)
    }
    return { made, finalFrom }
  }

  test('is reported separately while the alert is preliminary', async () => {
    const { made, finalFrom } = await site('page-meanwhile')
    await finalFrom(addDays(today, -1), addDays(today, -1))
    expect((await made.list()).map(({ entity, change }) => [entity.name, Math.round(change ?? 0)])).toEqual([
      ['https://page-meanwhile.example/', -94],
      ['/pricing', -14],
    ])
    expect(announcedSeverities()).toEqual([[['info'], []]])
    // The hours were wrong: the page's alert stays.
    await finalFrom(today, addDays(today, -1))
    expect((await made.list()).map(({ entity, state }) => [entity.kind, state])).toEqual([
      ['site', 'recovered'],
      ['page', 'firing'],
    ])
  })

  test('joins it once it is confirmed, and then it stays open for the page', { tags: ['full'] }, async () => {
    const { made, finalFrom } = await site('page-after')
    await finalFrom(today, today, today)
    const shownNow = async () =>
      (await made.list()).map(({ entity, state, findings, ended }) => [entity.kind, state, findings.length, ended?.as])
    expect(await shownNow()).toEqual([['site', 'firing', 2, undefined]])
    await finalFrom(addDays(today, 1), today, today)
    expect(await shownNow()).toEqual([['site', 'firing', 2, undefined]])
    const [{ id } = { id: '' }] = await made.list()
    expect((await evaluated.alerts.report('u', id)).timeline.map(({ reason }) => reason)).toEqual([
      'hours_found',
      'day_confirmed',
      'own_back',
    ])
    // The page is back: now all of it is over.
    await finalFrom(addDays(today, 9), '2027-01-01', today)
    expect(await shownNow()).toEqual([['site', 'recovered', 2, 'recovered']])
    expect(evaluated.announced.map(({ opened, recovered }) => [opened.length, recovered.length])).toEqual([[0, 1]])
  })
})

test('a site that dies while an alert about a rise is open is announced within hours, by an alert of its own', async () => {
  const site = await steady('rose', [unusual])
  await site.store(addDays(through, -3), through, () => [{ page: '/', clicks: 24 * 1_400 }])
  await evaluated.alerts.runDue()
  expect((await shown(site)).map(([severity, state]) => [severity, state])).toEqual([['positive', 'firing']])
  evaluated.announced.length = 0
  await soFar(site, times(12, 60))
  await soFar(site, times(14, 60))
  expect((await shown(site)).map(([severity, state]) => [severity, state])).toEqual([
    ['critical', 'firing'],
    ['positive', 'recovered'],
  ])
  expect(announcedSeverities()).toEqual([[['critical'], []]])
  const [, { id, ended } = { id: '', ended: undefined }] = await site.list()
  expect(ended?.as).toBe('ended')
  expect((await evaluated.alerts.report('u', id)).timeline.at(-1)).toMatchObject({
    reason: 'back',
    detail: expect.stringMatching(/^720 clicks so far on 18 Mar \(through 12:00 Pacific\) vs the usual [\d,]+ \(−9\d\.\d%\)\.$/),
  })
  // The final days still show a rise before it, which doesn't open again while the drop is open.
  await final(site, today, (date) => 24 * (date === today ? 60 : 1_000))
  expect((await shown(site)).map(([severity, state]) => [severity, state])).toEqual([
    ['critical', 'firing'],
    ['positive', 'recovered'],
  ])
})
