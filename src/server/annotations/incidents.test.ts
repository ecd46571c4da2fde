import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { newPerson } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { annotations, type Incident } from '../../contract/annotations.ts'
import { fetchFeed } from './service.ts'

// Google's ranking incidents, read from its dashboard once a day; known ones stay, whatever goes wrong there.

const test = appTest({ today: '2026-07-15', demo: false, logLevel: 'info' }).extend('dashboard', { scope: 'file' }, async ({ app }) => {
  const person = await newPerson(app)
  const asked = async () => ((await app.google.call('GET', 'dashboard')) as { asked: number }).asked
  const read = () => runJob(app, 'ranking-incidents')
  const answerWith = (answer: object | null) => app.google.call('PUT', 'dashboard', answer)
  const feedOf = (...entries: object[]) => answerWith({ body: JSON.stringify(entries) })
  const incidents = async (query = ''): Promise<Incident[]> =>
    annotations.parse((await person.get(`/api/annotations?property=all${query}`)).body).incidents
  const titles = async () => (await incidents()).map(({ title }) => title)
  // The one read at server start.
  await until(asked, (count) => count > 0)
  return { asked, read, answerWith, feedOf, incidents, titles }
})
test.beforeEach(async ({ app, dashboard: { read, answerWith } }) => {
  await answerWith(null)
  await (await app.stores()).sql('DELETE FROM ranking_incidents')
  await read()
})

const entry = (given: object) => ({ id: 'x', external_desc: 'Y', begin: '2026-07-01T10:00:00+00:00', service_name: 'Ranking', ...given })

test('the feed is read at the start: ranking incidents, on Pacific days, in addition to known ones', async ({
  app,
  dashboard: { incidents, titles },
}) => {
  expect((await incidents()).find(({ id }) => id === 'SampleRankingUpdate1')).toEqual({
    id: 'SampleRankingUpdate1',
    title: 'Sample ranking update',
    start: '2026-07-07',
    end: '2026-07-10',
    url: `${app.google.url}/incidents/SampleRankingUpdate1`,
  })
  expect(await titles()).toContain('March 2026 core update')
  expect(await titles()).not.toContain('Sample issue with serving search results')
})

test('the requested days include incidents that lasted over them', async ({ dashboard: { incidents } }) => {
  const during = async (from: string, to: string) => (await incidents(`&from=${from}&to=${to}`)).map(({ title }) => title)
  expect(await during('2026-07-08', '2026-07-09')).toEqual(['Sample ranking update'])
  expect(await during('2026-07-10', '2026-07-20')).toEqual(['Sample ranking update'])
  expect(await during('2026-07-11', '2026-07-20')).toEqual([])
})

test('an end published later is known then; an instant belongs to its Pacific day', async ({ dashboard: { read, feedOf, incidents } }) => {
  await feedOf(entry({ id: 'lasting', external_desc: 'Lasting', begin: '2026-07-02T05:00:00Z' }))
  await read()
  const found = async () => (await incidents()).find(({ id }) => id === 'lasting')
  expect(await found()).toMatchObject({ start: '2026-07-01', end: null })
  await feedOf(entry({ id: 'lasting', external_desc: 'Lasting', begin: '2026-07-02T05:00:00Z', end: '2026-07-05T18:00:00Z' }))
  await read()
  expect(await found()).toMatchObject({ start: '2026-07-01', end: '2026-07-05' })
})

test("Google's version of an already known incident is used", async ({ dashboard: { read, feedOf, incidents } }) => {
  await feedOf(entry({ id: '7eTbAa2jWdToLkraZj5y', external_desc: 'March 2026 core update', end: '2026-07-03T10:00:00+00:00' }))
  await read()
  const [found, ...others] = (await incidents()).filter(({ id }) => id === '7eTbAa2jWdToLkraZj5y')
  expect(found).toMatchObject({ start: '2026-07-01', end: '2026-07-03' })
  expect(others).toEqual([])
})

test("an unreadable entry is skipped, the others aren't; nothing links outside the dashboard", async ({
  app,
  dashboard: { read, feedOf, incidents },
}) => {
  await feedOf(
    entry({
      id: 'good',
      external_desc: ' Two\nlines\0 ',
      begin: '2026-07-03T10:00:00+00:00',
      uri: 'https://evil.example/x',
      extra: { a: 1 },
    }),
    entry({ id: 'by-product', service_name: undefined, affected_products: [{ title: 'Ranking', id: 'r' }], uri: 'javascript:alert(1)' }),
    entry({ id: 'no-begin', begin: undefined }),
    entry({ id: 'odd-begin', begin: 'yesterday' }),
    entry({ id: 'backwards', end: '2026-06-01T10:00:00+00:00' }),
    entry({ id: '../../x' }),
    entry({ id: 'untitled', external_desc: '\0' }),
    entry({ id: 'serving', service_name: 'Serving' }),
    null as never,
    [] as never,
    'text' as never,
  )
  await read()
  const found = await incidents()
  expect(found.find(({ id }) => id === 'good')).toMatchObject({ title: 'Two lines', url: `${app.google.url}/` })
  expect(found.find(({ id }) => id === 'by-product')).toMatchObject({ url: `${app.google.url}/` })
  for (const id of ['no-begin', 'odd-begin', 'backwards', '../../x', 'untitled', 'serving'])
    expect(found.map((each) => each.id)).not.toContain(id)
})

test.for([
  ["it isn't JSON", { body: '<!DOCTYPE html><title>Sorry</title>' }],
  ["it isn't a list", { body: '{"incidents":[]}' }],
  ['it answers with an error', { status: 503, body: '[]' }],
  ['it leads elsewhere', { status: 302, location: '/incidents/SampleRankingUpdate1' }],
  ['it is far too large', { body: '[]', spaces: 3 * 1024 ** 2 }],
] as const)(
  'when %s, known incidents stay, and one line is logged',
  async ([_what, answer], { app, dashboard: { asked, read, answerWith, titles } }) => {
    const before = await titles()
    expect(before.length).toBeGreaterThan(30)
    await answerWith(answer)
    const [lines, calls] = [app.logLines.length, await asked()]
    await read()
    expect(await asked()).toBe(calls + 1)
    expect(await titles()).toEqual(before)
    const said = app.logLines.slice(lines).filter((line) => line.includes('ranking incidents'))
    expect(said.map((line) => (JSON.parse(line) as { level: string | number }).level)).toEqual([expect.not.stringMatching(/warn|error/)])
  },
)

test('a broken connection, or a missing response, ends the read', async ({ app, dashboard: { read, titles } }) => {
  const before = await titles()
  await app.google.fail({ error: 'connectionReset', kind: 'status' })
  await read()
  await app.google.fail({ error: 'truncatedBody', kind: 'status' })
  await read()
  expect(await titles()).toEqual(before)
  await app.google.fail({ error: 'hang', kind: 'status' })
  const answer = await fetchFeed(app.google.url, new AbortController().signal, { timeoutMs: 50, mostBytes: 1024 })
  expect(answer).toMatchObject({ ok: false })
})

test("incidents read from another dashboard, as in a demo that became a regular installation, aren't shown", async ({
  app,
  dashboard: { titles },
}) => {
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO ranking_incidents VALUES ('other', 'Of another dashboard', '2026-07-01', NULL, 'http://127.0.0.1:1/incidents/other')`,
  )
  expect(await titles()).not.toContain('Of another dashboard')
})
