import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Bench, openBench } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.control('POST', 'reset', { keepTokens: true }))
afterAll(() => bench.google.close())

type Entry = { id: string; external_desc: string; begin: string; end?: string; service_name: string; uri: string }
const feed = async (): Promise<Entry[]> => (await bench.get('/incidents.json')).body as unknown as Entry[]

test('the feed has the shape of the real one, counted back from the anchor, in UTC', async () => {
  const [newest, ...others] = await feed()
  expect(newest).toMatchObject({
    id: 'SampleRankingUpdate1',
    external_desc: 'Sample ranking update',
    begin: '2026-07-07T16:00:00+00:00',
    end: '2026-07-10T21:00:00+00:00',
    service_name: 'Ranking',
    affected_products: [{ title: 'Ranking', id: 'rGHU1u87FJnkP6W2GwMi' }],
    status_impact: 'SERVICE_INFORMATION',
    uri: 'incidents/SampleRankingUpdate1',
  })
  expect(others.map((entry) => entry.service_name)).toEqual(['Serving', 'Ranking', 'Ranking'])
})

test("ongoing incidents have no end, and future ones aren't listed", async () => {
  await bench.control('PUT', 'today', { today: '2026-07-08' })
  const [newest] = await feed()
  expect(newest).not.toHaveProperty('end')
  await bench.control('PUT', 'today', { today: '2026-07-01' })
  expect((await feed()).map((entry) => entry.external_desc)).toEqual(['Sample spam update', 'Sample core update'])
})

test('each has a page that says that it is invented', async () => {
  const page = await bench.get('/incidents/SampleRankingUpdate1')
  expect(page.status).toBe(200)
  expect(page.text).toContain('Sample ranking update')
  expect(page.text).toContain('it never happened at Google')
  expect((await bench.get('/incidents/none')).status).toBe(404)
})

test('a test can replace its response, and count requests to it', async () => {
  await bench.control('PUT', 'dashboard', { status: 302, location: '/elsewhere' })
  const moved = await fetch(`${bench.google.url}/incidents.json`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/elsewhere'])
  await bench.control('PUT', 'dashboard', { body: '[]', spaces: 10 })
  expect((await bench.get('/incidents.json')).text).toBe(' '.repeat(10) + '[]')
  await bench.control('PUT', 'dashboard', null)
  expect((await feed()).length).toBe(4)
  expect((await bench.control('GET', 'dashboard'))['asked']).toBe(3)
})

test("faults for any call don't apply to it, those that name it do; it doesn't affect the count of calls", async () => {
  await bench.control('POST', 'fail', { error: 'internal500', times: 1 })
  expect((await bench.get('/incidents.json')).status).toBe(200)
  expect((await bench.get('/webmasters/v3/sites')).status).toBe(500)
  await bench.control('POST', 'fail', { error: 'unavailable503', times: 1, kind: 'status' })
  expect((await bench.get('/incidents.json')).status).toBe(503)
  expect((await bench.control('GET', 'requests'))['total']).toBe(1)
})
