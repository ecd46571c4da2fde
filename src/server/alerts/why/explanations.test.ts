import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { type AlertReport, alertReport } from '../../../contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../../core/analytics/days.ts'
import { plainText } from '../../../core/alerting/copy.ts'

// Why something changed, and other events at the time, in reports and messages.

const through = '2026-05-31'
const oldest = addDays(through, -300)
const lostFrom = addDays(through, -6)
const odd = `https://shop.example/<img src=x onerror=alert(1)>"&'`
const clicks: NewCondition = { type: 'clicks', title: 'Site', monitor: 'site', threshold: 10 }
const unusual: NewCondition = { type: 'clicks', title: 'Unusual clicks', kind: 'unusual', monitor: 'site' }
let evaluated: EvaluatedSites
let sites = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites(`${addDays(through, 3)}T20:00:00Z`)))
afterAll(() => evaluated.close())

/** A site with one page that loses nearly everything in the last week. */
async function siteThatLost(rules: readonly NewCondition[]): Promise<EvaluatedSite> {
  const site = await evaluated.property(`https://why${++sites}.example/`, { through, rules })
  await site.store(oldest, through, (date) => [
    { page: odd, clicks: date < lostFrom ? 100 : 5 },
    { page: 'https://shop.example/b', clicks: 90 + (Number(date.slice(-1)) % 3) },
  ])
  const load = await evaluated.stores.facts.beginLoad(site.id, 'web')
  const days = eachDay(oldest, through)
  await load.write(
    'country',
    days.map((date) => ({ date, keys: ['deu'], clicks: 100, impressions: 1_000, position: 3 })),
  )
  await load.publish(new Map([['country', days]]))
  await site.backfilled(oldest, oldest)
  await evaluated.alerts.evaluate('u', site)
  return site
}
async function reportOf(site: EvaluatedSite): Promise<AlertReport> {
  const [first] = await site.list()
  return alertReport.parse(await evaluated.alerts.report('u', first?.id ?? ''))
}
const note = (property: EvaluatedSite | null, date: string, text: string, { userId = 'u', inReports = false } = {}) =>
  evaluated.stores.db
    .insertInto('annotations')
    .values({ userId, propertyId: property?.id ?? null, date, text, inReports, createdAt: evaluated.clock.at })
    .execute()

const notesIn = (all: AlertReport['coincidences']) => all?.filter(({ kind }) => kind === 'note').map(({ title }) => title)

test('a report and a message give the reasons in the same words, and a name full of markup stays a name', async () => {
  const site = await siteThatLost([clicks])
  const { id, why, breakdown } = await reportOf(site)
  expect(why).toMatch(
    /^665 of the 66\d lost clicks were on <code>https:\/\/shop\.example\/&lt;img src=x onerror=alert\(1\)&gt;&quot;&amp;&#39;<\/code>\./,
  )
  expect(why?.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>]/)
  const explained = (await evaluated.alerts.explain([id])).get(id)
  expect(plainText(explained?.why ?? [])).toContain(`lost clicks were on ${odd}.`)
  const parts = Object.values(breakdown?.parts ?? {}).reduce((sum, part) => sum + part, 0)
  expect(parts).toBeCloseTo((breakdown?.current ?? 0) - (breakdown?.previous ?? 0), 6)
})

test('other events at the time: Google’s incidents, own notes, holidays; nothing about other days, properties or users', async () => {
  const site = await siteThatLost([clicks])
  const other = await evaluated.property('https://other-why.example/', { through })
  await note(site, addDays(lostFrom, -2), 'New theme <b>live</b>')
  await note(null, lostFrom, 'Moved the servers')
  await note(other, lostFrom, 'Of another property')
  await note(site, addDays(lostFrom, -20), 'Long ago')
  await sql`INSERT INTO users (id, name, email) VALUES ('v', 'v', 'v@example.test')`.execute(evaluated.stores.db)
  await sql`INSERT INTO people (user_id) VALUES ('v')`.execute(evaluated.stores.db)
  await note(null, lostFrom, 'Of another person', { userId: 'v' })
  const { coincidences } = await reportOf(site)
  expect(coincidences).toEqual([
    {
      kind: 'ranking_incident',
      from: '2026-05-21',
      to: '2026-06-02',
      title: 'May 2026 core update',
      link: 'https://status.search.google.com/incidents/wdAXJk6LRRihEjpzEeWE',
    },
    { kind: 'note', from: lostFrom, to: lostFrom, title: 'Moved the servers' },
    { kind: 'note', from: addDays(lostFrom, -2), to: addDays(lostFrom, -2), title: 'New theme <b>live</b>' },
    // Whit Monday.
    { kind: 'holiday', from: lostFrom, to: lostFrom, title: 'Public holiday in Germany' },
  ])
})

test('a message, which may go to a client, only includes notes on this property that are marked for others', async () => {
  const site = await siteThatLost([clicks])
  await note(site, lostFrom, 'The client pays late')
  await note(null, lostFrom, 'We lost our editor')
  await note(site, lostFrom, 'New theme live', { inReports: true })
  expect(notesIn((await reportOf(site)).coincidences)).toEqual(
    expect.arrayContaining(['The client pays late', 'We lost our editor', 'New theme live']),
  )
  const [{ id } = { id: '' }] = await site.list()
  const coincidences = (await evaluated.alerts.explain([id])).get(id)?.coincidences
  expect(notesIn(coincidences)).toEqual(['New theme live'])
  // Everything else is the same.
  expect(coincidences?.map(({ kind }) => kind)).toEqual(['ranking_incident', 'note', 'holiday'])
})

test('of hundreds of notes, reports and messages show twenty, and how many more there are', { tags: ['full'] }, async () => {
  const site = await siteThatLost([clicks])
  await evaluated.stores.db
    .insertInto('annotations')
    .values(
      Array.from({ length: 300 }, (_, at) => ({
        userId: 'u',
        propertyId: site.id,
        date: lostFrom,
        text: `Note ${at}`,
        inReports: true,
        createdAt: evaluated.clock.at,
      })),
    )
    .execute()
  const [{ id } = { id: '' }] = await site.list()
  expect(notesIn((await reportOf(site)).coincidences)).toHaveLength(21)
  const titles = notesIn((await evaluated.alerts.explain([id])).get(id)?.coincidences)
  expect(titles).toHaveLength(21)
  expect(titles?.slice(-2)).toEqual(['Note 280', '280 more notes'])
})

test('missing days and days that Google revised later are mentioned, and nothing unknown is split', { tags: ['full'] }, async () => {
  const site = await siteThatLost([clicks])
  const revised = addDays(through, -1)
  await site.store(revised, revised, () => [{ page: odd, clicks: 50 }])
  expect((await reportOf(site)).coincidences).toContainEqual({
    kind: 'revised_data',
    from: lostFrom,
    to: through,
    title: 'Google revised the data after this alert',
  })
  await evaluated.stores.clickhouse.command({
    query: `ALTER TABLE facts_current DELETE WHERE property = ${site.id} AND date IN ('${revised}', '${through}') SETTINGS mutations_sync = 1`,
  })
  const { coincidences, breakdown, why } = await reportOf(site)
  expect(coincidences).toContainEqual({ kind: 'missing_days', from: revised, to: through, title: 'No data stored' })
  expect(coincidences?.some(({ kind }) => kind === 'revised_data')).toBe(false)
  expect([breakdown, why]).toEqual([undefined, undefined])
})

test('an alert about unusual clicks has the expected band, its first day, and the window that showed it', { tags: ['full'] }, async () => {
  const site = await siteThatLost([unusual])
  const { expectation, current, previousValue, series, unusual: rarity, why, breakdown } = await reportOf(site)
  expect(rarity?.months).toBeGreaterThan(1)
  // Whit Monday says nothing, whatever its clicks.
  expect(expectation?.firstDay).toBe(addDays(lostFrom, 1))
  const days = expectation?.days ?? []
  expect(days.map(({ date }) => date)).toEqual(series.map(({ date }) => date))
  const ordinary = series.filter(({ date, value }) => {
    const day = days.find((each) => each.date === date)
    return day && value !== null && day.low <= value && value <= day.high
  })
  expect(ordinary.map(({ date }) => date)).toEqual(series.map(({ date }) => date).filter((date) => date < lostFrom))
  expect(current?.end).toBe(through)
  expect(previousValue).toBeGreaterThan(500)
  // Its figures leave out Whit Monday, which a breakdown would include.
  expect([rarity?.days, why, breakdown]).toEqual([6, undefined, undefined])
})
