import { expect, test as plain } from 'vitest'
import { sharedReport } from '../../src/contract/reports/reports.ts'
import type { Person } from '../../src/server/accounts/service.ts'
import { composeReports } from '../../src/server/reports/compose-reports.ts'
import { exportedReports } from '../../src/server/reports/export.ts'
import { databaseTest } from '../support/database.ts'
import { sampleReport } from '../support/periodic-report.ts'
import { typistTest } from './typist.ts'

// Lists that stay short in number, but not in text: each entry names properties or addresses again.

const test = typistTest()
const longest = (at: number): string => `${at} `.padEnd(2_048, 'n')
const names = Array.from({ length: 100 }, (_, at) => longest(at))

/** A hundred properties with the longest names there may be. */
const withProperties = test.extend('attacker', { scope: 'file' }, async ({ typist }) => {
  const { sql } = await typist.app.stores()
  await sql(
    `INSERT INTO properties (user_id, name, kind, monitored)
      SELECT user_id, long, 'imported', true FROM people JOIN users ON id = user_id, unnest($1::text[]) AS long WHERE username = 'typist'`,
    [names],
  )
  return { ...typist, sql }
})

withProperties('clients that name the same properties again and again', async ({ attacker: { person, sql } }) => {
  const client = (at: number, count: number) => ({ name: `Client ${at}`, properties: names.slice(0, count) })
  const add = (at: number) => person.send('POST', '/api/report-clients', client(at, 100))
  for (let at = 0; at < 4; at++) expect((await add(at)).status).toBe(201)
  const message =
    'The names of the properties of all your clients can have up to 1,000,000 characters in total. Remove properties from some of them.'
  expect(await add(4)).toMatchObject({ status: 409, body: { message, field: 'properties' } })
  const [last] = await sql<{ id: number }>('SELECT max(id) AS id FROM report_clients')
  expect((await person.send('PUT', `/api/report-clients/${last?.id}`, client(3, 10))).status).toBe(200)
  expect((await person.send('POST', '/api/report-clients', client(4, 90))).status).toBe(201)
  expect(JSON.stringify((await person.get('/api/report-clients')).body).length).toBeLessThan(1_100_000)
})

withProperties('schedules with made-up recipients, turned off so that nobody is asked', async ({ attacker: { person, sql } }) => {
  const recipients = Array.from({ length: 1_000 }, (_, at) => `${at}${'r'.repeat(200)}@r.example`)
  const schedule = (many: number) => ({
    subject: { property: names[0] },
    kind: 'week',
    paper: 'a4',
    enabled: false,
    recipients: recipients.slice(0, many),
  })
  const add = (many: number) => person.send('POST', '/api/report-schedules', schedule(many))
  for (const many of [1_000, 1_000]) expect((await add(many)).status).toBe(201)
  const message = 'The recipients of all your schedules can have up to 500,000 characters in total. Remove some, or delete a schedule.'
  expect(await add(1_000)).toMatchObject({ status: 409, body: { message, field: 'recipients' } })
  expect((await add(1)).status).toBe(201)
  const [last] = await sql<{ id: number }>('SELECT max(id) AS id FROM report_schedules')
  expect((await person.send('PUT', `/api/report-schedules/${last?.id}`, schedule(1_000))).status).toBe(409)
  expect(JSON.stringify((await person.get('/api/report-schedules')).body).length).toBeLessThan(1_100_000)
})

withProperties('notes and rules on properties with long names', async ({ attacker: { person, sql } }) => {
  const note = () => person.send('POST', '/api/annotations', { date: '2026-03-10', text: 'n', property: names[0] })
  await sql(
    `INSERT INTO annotations (user_id, property_id, date, text, in_reports, created_at)
      SELECT user_id, id, '2026-03-10', 'n', false, now() FROM properties, generate_series(1, 487) WHERE name = $1`,
    [names[0]],
  )
  expect((await note()).status).toBe(201)
  expect((await note()).status).toBe(409)
  const rule = (at: number) =>
    person.send('POST', `/api/alert-conditions?property=${encodeURIComponent(names[at] ?? '')}`, { type: 'position', title: 'Rule' })
  expect((await rule(0)).status).toBe(201)
  const [columns] = await sql<{ all: string }>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS all FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'alert_conditions' AND column_name <> 'id'`,
  )
  const copy = (times: number) =>
    sql(
      `INSERT INTO alert_conditions (${columns?.all}) SELECT ${columns?.all} FROM alert_conditions, generate_series(1, $1)
        WHERE id = (SELECT max(id) FROM alert_conditions)`,
      [times],
    )
  await copy(1_900)
  expect((await rule(1)).status).toBe(201)
  await copy(60)
  const message = "Your properties' names are too long for so many rules. Delete some rules that you no longer need."
  expect(await rule(2)).toMatchObject({ status: 409, body: { message } })
})

plain('a shared link to a client whose hundred properties have the longest names of pages and queries', { tags: ['full'] }, async () => {
  const sample = sampleReport('https://long.example/')
  if (sample.advanced === null) throw new Error('a basic report')
  const { pages, keywords, alerts } = sample.advanced
  const [row, opportunity] = [sample.pages.top[0], sample.advanced.opportunities[0]]
  if (!row || !opportunity || !alerts[0]) throw new Error('an empty report')
  const alert = alerts[0]
  const long = (at: number): string => `https://long.example/${at}/`.padEnd(2_030, '漢') + `/end-${at}`
  const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ ...row, name: long(at) }))
  const moved = { rising: rows(10), falling: rows(10) }
  const report = {
    ...sample,
    pages: { ...sample.pages, top: rows(10) },
    keywords: { ...sample.keywords, top: rows(10) },
    advanced: {
      ...sample.advanced,
      pages: { ...pages, ...moved },
      keywords: { ...keywords, ...moved },
      opportunities: Array.from({ length: 10 }, (_, at) => ({ ...opportunity, query: long(at), page: long(at) })),
      alerts: Array.from({ length: 50 }, (_, at) => ({ ...alert, title: long(at), entity: { ...alert.entity, name: long(at) } })),
    },
  }
  const properties = Array.from({ length: 100 }, (_, id) => ({ id, name: longest(id) }) as never)
  const composed = (count: number) => {
    const subject = { propertyId: null, clientId: 1, title: 'Client', properties: properties.slice(0, count) }
    const about = { kind: 'week' as const, start: '2026-03-09', segment: null }
    return composeReports({ report: async () => report }, { id: 'owner', plan: 'agency' } as Person, subject, about)
  }
  const whole = sharedReport.shape.reports.parse((await composed(100)).reports)
  expect(JSON.stringify(whole).length).toBeLessThan(8_000_000)
  const [first, second] = whole[0]?.pages.top ?? []
  expect(first?.name).toMatch(/^https:\/\/long\.example\/0\/漢+…漢+\/end-0$/)
  expect(second?.name).not.toBe(first?.name)
  // Nothing is cut where there is room.
  expect((await composed(5)).reports[0]).toEqual(report)
})

databaseTest()('an export of many reports sent to a thousand addresses each, read in parts', { tags: ['full'] }, async ({ database }) => {
  await database.property('https://1.example/')
  const id = 'user-of-https://1.example/'
  await database.pool.query(
    `INSERT INTO report_runs (user_id, property_id, scheduled, title, kind, paper, total, recipients, created_at)
      SELECT user_id, id, false, 'Report ' || at, 'week', 'a4', 1, array_fill(repeat('r', 200) || '@r.example', ARRAY[1000]), now()
        FROM properties, generate_series(1, 100) AS at`,
  )
  await database.pool.query(
    `INSERT INTO report_recipients (user_id, address, asked_at, asks) SELECT $1, at || '@r.example', now(), 1 FROM generate_series(1, 1200) AS at`,
    [id],
  )
  let text = ''
  for await (const piece of exportedReports(database.db, id)) {
    expect(piece.length).toBeLessThan(400_000)
    // What isn't read yet when somebody deletes it isn't in the file.
    if (piece.includes('"Report 1"')) await database.pool.query(`DELETE FROM report_runs WHERE title = 'Report 90'`)
    text += piece
  }
  const { runs, recipients, brand, links } = JSON.parse(text) as Record<'runs' | 'recipients' | 'links', object[]> & { brand: null }
  expect({ runs: runs.length, recipients: recipients.length, brand, links }).toEqual({
    runs: 99,
    recipients: 1_200,
    brand: null,
    links: [],
  })
  expect(runs.at(-1)).toMatchObject({ title: 'Report 100' })
})
