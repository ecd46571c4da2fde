import { expect } from 'vitest'
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
