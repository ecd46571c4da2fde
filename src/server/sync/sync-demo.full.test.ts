import { expect, test as plain } from 'vitest'
import { sites } from '../../../test/support/app.ts'
import { startShortDemo } from '../../../test/support/browser-demo.ts'
import { statusOf } from '../../../test/support/people.ts'
import { metrics as metricsSchema } from '../../contract/metrics.ts'
import { syncStatuses } from '../../contract/sync.ts'

const test = plain.extend('app', { scope: 'file' }, async ({}, { onCleanup }) => {
  const app = await startShortDemo()
  onCleanup(() => app.close())
  return app
})

test(
  'the demo account monitors three sample properties, and its metric cards are exact to the last click',
  {
    // The first test to need the demo fetches it.
    timeout: 180_000,
  },
  async ({ app }) => {
    const demo = await app.demo()
    const all = syncStatuses.parse((await demo.get('/api/sync')).body)
    expect(all.map((status) => status.property).toSorted()).toEqual(Object.values(sites).toSorted())
    const answer = metricsSchema.parse((await demo.get('/api/metrics')).body)
    expect(answer.property).toBe(sites.shop)
    const expected = await app.google.totals({ site: sites.shop, ...answer.current })
    expect(answer.clicks).toBe(expected.total.clicks)
    expect(answer.impressions).toBe(expected.total.impressions)
    expect(answer.ctr).toBeCloseTo(expected.total.clicks / expected.total.impressions, 12)
    expect(answer.position).toBeCloseTo(expected.total.position ?? 0, 6)
  },
)

test('an imported property has figures from the first day of all its files through the last', async ({ app }) => {
  const demo = await app.demo()
  const property = 'files.example'
  const cookie = [...demo.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const day of ['2025-06-02', '2025-05-01', '2025-06-30']) {
    const body = new FormData()
    body.set('property', property)
    body.set('file', new Blob([`date,clicks,impressions,position\n${day},7,70,3.5\n`]), `${day}.csv`)
    expect((await fetch(`${app.url}/api/import`, { method: 'POST', body, headers: { cookie } })).status).toBe(200)
  }
  expect(await statusOf(demo, property)).toMatchObject({
    state: 'imported',
    daysLeft: 0,
    firstDate: '2025-05-01',
    lastDate: '2025-06-30',
  })
})
