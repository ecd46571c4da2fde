import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { newPerson, select, statusOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import type { SyncStatus } from '../../contract/sync.ts'

/** Found by web and by image search, on few days, so that 16 months are fetched quickly. */
const site = 'https://pictures.example/'
const rows = [{ query: 'q', page: `${site}a`, clicks: 1, impressions: 5, position: 2 }]
let app: TestApp
let owner: Visitor

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  owner = await newPerson(app, { sites: { [site]: 'empty' } })
  for (const type of ['web', 'image']) await app.google.call('PUT', 'rows', { site, type, date: '2026-03-01', until: '2026-03-15', rows })
})
afterAll(() => app.close())

const done = ({ daysLeft, daysTotal }: SyncStatus) => daysTotal - daysLeft

test('while Google is slow with the first days they are being fetched, and none is there yet', async () => {
  await app.google.delay(2_000, 'query')
  await select(owner, site)
  await until(
    () => app.google.requests(),
    (asked) => asked.some(({ dims }) => dims?.includes('page')),
  )
  // The clock of the server says that it has taken a minute, the longest that a slice was ever expected to.
  app.google.advance(60_000)
  expect(await statusOf(owner, site)).toMatchObject({ state: 'never', running: true, message: null, daysLeft: 486, daysTotal: 486 })
  expect((await statusOf(owner, site)).secondsLeft).toBeNull()
})

test('then they come in as one number of days, which never falls, with how long the rest takes', async () => {
  await app.google.delay(10, 'query')
  const seen: SyncStatus[] = []
  await until(
    async () => {
      const status = await statusOf(owner, site)
      seen.push(status)
      app.google.advance(50)
      return status
    },
    ({ daysLeft, running }) => daysLeft === 0 && !running,
    60_000,
  )
  expect(new Set(seen.map(({ daysTotal }) => daysTotal))).toEqual(new Set([486]))
  expect(seen.map(done)).toEqual(seen.map(done).toSorted((a, b) => a - b))
  // Halfway web search was whole and the other type still to come.
  expect(seen.some((status) => done(status) > 250 && status.daysLeft > 0)).toBe(true)
  for (const status of seen) expect(status.secondsLeft === null).toBe(done(status) === 0 || status.daysLeft === 0)
})
