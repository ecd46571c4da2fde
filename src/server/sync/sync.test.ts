import { afterAll, beforeAll, expect, test } from 'vitest'
import { sites, startTestApp, type TestApp, type Visitor } from '../../../test/support/app.ts'
import { until } from '../../../test/support/until.ts'
import { metrics as metricsSchema } from '../../contract/metrics.ts'
import { syncStatuses, type SyncStatus } from '../../contract/sync.ts'

let app: TestApp
let demo: Visitor

beforeAll(async () => {
  app = await startTestApp({ today: '2026-11-10' })
  demo = await app.demo()
})
afterAll(() => app.close())

const statusOf = async (property: string): Promise<SyncStatus> =>
  syncStatuses.parse((await demo.get(`/api/sync?property=${encodeURIComponent(property)}`)).body)[0]!

test('selecting a property backfills 16 months, newest days first', async () => {
  const first = await until(() => statusOf(sites.local), (status) => status.completeThrough !== null)
  expect(first.lastDate).toBe('2026-11-10')
  const done = await until(() => statusOf(sites.local), (status) => status.daysLeft === 0 && !status.running, 25_000)
  expect(done.firstDate).toBe('2025-07-10')
  expect(done.state).toBe('ok')
})

test('the metric cards are right to the last click', async () => {
  await until(() => statusOf(sites.shop), (status) => status.firstDate !== null && status.firstDate < '2026-10-20')
  const answer = metricsSchema.parse((await demo.get('/api/metrics')).body)
  const expected = await app.google.totals({ site: sites.shop, ...answer.current })
  expect(answer.clicks).toBe(expected.total.clicks)
  expect(answer.impressions).toBe(expected.total.impressions)
  expect(answer.ctr).toBeCloseTo(expected.total.clicks / expected.total.impressions, 12)
  expect(answer.position).toBeCloseTo(expected.total.position ?? 0, 6)
})
