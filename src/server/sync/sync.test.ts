import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sites, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, select, statusOf, synced } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { metrics as metricsSchema } from '../../contract/metrics.ts'
import { syncStatuses } from '../../contract/sync.ts'

describe('selecting a property', () => {
  const site = 'https://history.example/'
  let app: TestApp
  let owner: Visitor
  beforeAll(async () => {
    app = await startTestApp({ today: '2026-03-18', demo: false })
    owner = await newPerson(app, { sites: { [site]: 'local' } })
  })
  afterAll(() => app.close())

  test('backfills 16 months, newest days first, with progress to be seen', { timeout: 60_000 }, async () => {
    await select(owner, site)
    const first = await until(
      () => statusOf(owner, site),
      (status) => status.completeThrough !== null,
    )
    expect(first).toMatchObject({ lastDate: '2026-03-18', running: true, daysTotal: 486 })
    expect(first.daysLeft).toBeGreaterThan(0)
    const done = await synced(owner, site, 50_000)
    expect(done).toMatchObject({ firstDate: '2024-11-18', daysLeft: 0 })
  })

  test('stores every day of it in every grain as Google has it', () =>
    expectStoredAsAtGoogle(app, site, { start: '2024-11-18', end: '2026-03-18' }))
})

describe('several sites at once', () => {
  const watched = Array.from({ length: 5 }, (_, i) => `https://site-${i + 1}.example/`)
  const other = 'https://other.example/'
  let app: TestApp
  let owner: Visitor
  beforeAll(async () => {
    app = await startTestApp({ today: '2026-03-18', demo: false })
    const atGoogle = Object.fromEntries([...watched, other].map((site) => [site, 'local' as const]))
    owner = await newPerson(app, { plan: 'pro', sites: atGoogle })
  })
  afterAll(() => app.close())

  test('those that wait for their first turn say that all of their days are still to come', async () => {
    await app.google.delay(500, 'query')
    expect((await owner.send('POST', '/api/gsc-properties/monitor', { sites: watched })).status).toBe(200)
    const waiting = await until(
      async () => (await Promise.all(watched.map((site) => statusOf(owner, site)))).filter(({ running }) => !running),
      (left) => left.length <= 2,
    )
    expect(waiting).toHaveLength(2)
    for (const status of waiting) expect(status).toMatchObject({ state: 'never', daysLeft: 486, daysTotal: 486, firstDate: null })
    // One that is not watched waits for nothing.
    expect(await statusOf(owner, other)).toMatchObject({ state: 'never', daysLeft: 0, daysTotal: 0 })
  })
})

describe('the demo account', () => {
  let app: TestApp
  let demo: Visitor
  beforeAll(async () => {
    app = await startTestApp({ today: '2026-11-10' })
    demo = await app.demo()
  })
  afterAll(() => app.close())

  test('watches three sample properties, and its metric cards are right to the last click', async () => {
    const statuses = async () => syncStatuses.parse((await demo.get('/api/sync')).body)
    const all = await until(statuses, (each) => each.every((status) => status.firstDate !== null && status.firstDate < '2026-10-20'))
    expect(all.map((status) => status.property).toSorted()).toEqual(Object.values(sites).toSorted())
    const answer = metricsSchema.parse((await demo.get('/api/metrics')).body)
    expect(answer.property).toBe(sites.shop)
    const expected = await app.google.totals({ site: sites.shop, ...answer.current })
    expect(answer.clicks).toBe(expected.total.clicks)
    expect(answer.impressions).toBe(expected.total.impressions)
    expect(answer.ctr).toBeCloseTo(expected.total.clicks / expected.total.impressions, 12)
    expect(answer.position).toBeCloseTo(expected.total.position ?? 0, 6)
  })

  test('an imported property has figures from the first day of all its files through the last', async () => {
    const property = 'files.example'
    const cookie = [...demo.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const day of ['2026-06-02', '2026-05-01', '2026-06-30']) {
      const body = new FormData()
      body.set('property', property)
      body.set('file', new Blob([`date,clicks,impressions,position\n${day},7,70,3.5\n`]), `${day}.csv`)
      expect((await fetch(`${app.url}/api/import`, { method: 'POST', body, headers: { cookie } })).status).toBe(200)
    }
    expect(await statusOf(demo, property)).toMatchObject({
      state: 'imported',
      daysLeft: 0,
      firstDate: '2026-05-01',
      lastDate: '2026-06-30',
    })
  })
})
