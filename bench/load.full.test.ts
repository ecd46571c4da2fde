import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metrics } from '../src/contract/metrics.ts'
import { user } from '../src/contract/user.ts'
import { addDays } from '../src/core/analytics/days.ts'
import { startTestApp, type TestApp } from '../test/support/app.ts'
import { newPerson, select, shortenHistory, synced } from '../test/support/people.ts'
import type { Visitor } from '../test/support/visitor.ts'
import { type LoadAnswer, type Reader, runLoad } from './load-generator.ts'
import { growthOfLastHalf } from './load-memory.ts'

/** Days of history for each: enough to evaluate rules, and for cards alone. */
const people = { ann: 21, ben: 12 }
const patienceMs = 240_000

let app: TestApp
const readers: Reader[] = []
beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  for (const [name, days] of Object.entries(people)) {
    const site = `https://${name}.example/`
    const owner = await newPerson(app, { sites: { [site]: 'local' }, email: `${name}@example.test` })
    await shortenHistory(app, site, days)
    await select(owner, site)
    await synced(owner, site, patienceMs)
    await owner.send('POST', '/api/alerts/evaluate')
    readers.push(await readerOf(owner, name, site))
  }
}, 2 * patienceMs)
afterAll(() => app.close())

/** The expected answers are Google's own count, and what is stored. */
async function readerOf(owner: Visitor, name: string, site: string): Promise<Reader> {
  await select(owner, site)
  const { completeThrough } = metrics.parse((await owner.get('/api/metrics')).body)
  const { total } = await app.google.totals({ site, start: addDays(completeThrough, -6), end: completeThrough, dataState: 'final' })
  const { sql } = await app.stores()
  const [row] = await sql<{ count: string }>(
    'SELECT count(*) FROM alerts JOIN properties p ON p.id = property_id WHERE name = $1 AND part_of IS NULL',
    [site],
  )
  const { username } = user.parse((await owner.get('/api/user')).body)
  return {
    cookie: [...owner.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
    username,
    address: `10.0.0.${name.length}`,
    properties: [{ name: site, expected: { clicks: total.clicks, impressions: total.impressions, alerts: Number(row?.count) } }],
  }
}

const load = (who: Reader[], most = 90): Promise<LoadAnswer> =>
  runLoad({ url: app.url, readers: who, seconds: 60, perSecond: null, most, checkEvery: 1 })

test('many concurrent users are answered without an error, each with their own data', async () => {
  const answer = await load(readers)
  expect(answer).toMatchObject({ errors: 0, firstErrors: [] })
  expect(answer.requests).toBeGreaterThanOrEqual(90)
  expect(answer.checked).toBe(answer.requests)
})

describe('the generator counts as an error', () => {
  const [wrongMetrics, wrongSession] = [
    (reader: Reader): Reader => ({
      ...reader,
      properties: reader.properties.map((each) => ({ ...each, expected: { clicks: -1, impressions: -1, alerts: -1 } })),
    }),
    (reader: Reader): Reader => ({ ...reader, username: 'somebody.else' }),
  ]

  test.each([
    ['figures and alerts that are not theirs', wrongMetrics, 6],
    ['a session of somebody else', wrongSession, 3],
    ['an answer other than 200', (reader: Reader): Reader => ({ ...reader, properties: [{ name: 'https://none.example/' }] }), 6],
    ['nobody who answers', (reader: Reader): Reader => reader, 9],
  ])('%s', async (what, spoil, errors) => {
    const [reader] = readers
    const spoilt = spoil(reader as Reader)
    const url = what === 'nobody who answers' ? 'http://127.0.0.1:1' : app.url
    expect(await runLoad({ url, readers: [spoilt], seconds: 60, perSecond: null, most: 9, checkEvery: 1 })).toMatchObject({
      requests: 9,
      errors,
    })
  })
})

describe('memory growth over the last half', () => {
  test('is the slope of the line through the samples', () => {
    expect(growthOfLastHalf([1, 1, 1, 1, 100, 101, 102, 103])).toBeCloseTo(0.03)
    expect(growthOfLastHalf([300, 200, 100, 100, 100, 100])).toBeCloseTo(0)
  })

  test("isn't decided by the last sample alone", () => {
    const steady = Array.from({ length: 60 }, () => 400)
    expect(growthOfLastHalf([...steady.slice(1), 440])).toBeLessThan(0.05)
  })
})
