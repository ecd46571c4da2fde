import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { backfillFrom, newPerson, refresh, select, shortenHistory, synced } from '../../../test/support/people.ts'
import { analyticsSummary } from '../../contract/analytics.ts'

const site = 'https://limits.example/'
const span = { start: '2026-03-12', end: '2026-03-18' }

const test = appTest({ today: '2026-03-18', demo: false }).extend('owner', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'empty' } })
  // Google delivers whole days only, and may still revise the last three: every sync fetches those.
  await app.google.call('PUT', 'late', { site, days: 0 })
  await shortenHistory(app, site, 7)
  await select(owner, site)
  await synced(owner, site)
  return owner
})

/** A day with that many pages, each found by its own query. */
async function fillDay(app: TestApp, date: string, rows: number): Promise<void> {
  const day = Array.from({ length: rows }, (_, i) => ({
    query: `q${i}`,
    page: `${site}${i}`,
    clicks: i % 3,
    impressions: 3,
    position: 2,
    country: 'usa',
    device: 'MOBILE',
  }))
  await app.google.setRows(site, date, day)
}

const pagesAskedFor = async (app: TestApp, dims: string, day: string): Promise<number[]> =>
  (await app.google.requests())
    .filter((request) => request.dims?.join() === dims && request.startDate === day && request.endDate === day)
    .map((request) => request.startRow)

test('exactly 25,000 rows on one day: all stored, and one more page requested', { tags: ['full'] }, async ({ app, owner }) => {
  await fillDay(app, '2026-03-17', 25_000)
  await app.google.forgetRequests()
  expect((await refresh(owner, site)).state).toBe('ok')
  await expectStoredAsAtGoogle(app, site, span)
  expect(await pagesAskedFor(app, 'date,query,page', '2026-03-17')).toEqual([0, 25_000])
  // The three days requested together are also requested one by one.
  expect(await pagesAskedFor(app, 'date,page', '2026-03-17')).toEqual([0, 25_000])
})

test('exactly 25,000 rows over several days: requested day by day, none lost', { tags: ['full'] }, async ({ app, owner }) => {
  await fillDay(app, '2026-03-16', 9_000)
  await fillDay(app, '2026-03-17', 9_000)
  await fillDay(app, '2026-03-18', 7_000)
  await app.google.forgetRequests()
  expect((await refresh(owner, site)).state).toBe('ok')
  await expectStoredAsAtGoogle(app, site, span)
  expect(await pagesAskedFor(app, 'date,page', '2026-03-17')).toEqual([0])
})

test(
  'older days have more rows than a call returns: prefetching is split into parts, and everything is stored',
  { tags: ['full'] },
  async ({ app }) => {
    const wide = 'https://wide.example/'
    const [from, full, to] = ['2026-02-26', '2026-03-11', '2026-03-18']
    const other = await newPerson(app, { email: 'other@example.test', sites: { [wide]: 'empty' } })
    const rows = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ query: `q${i}`, page: `${wide}${i}`, clicks: i % 3, impressions: 3, position: 2 }))
    await app.google.setDays(wide, { from, to: full }, rows(1_800))
    await app.google.setDays(wide, { from: '2026-03-12', to }, rows(10))
    await app.google.call('PUT', 'late', { site: wide, days: 0 })
    await app.google.forgetRequests()
    await backfillFrom((await app.stores()).sql, wide, from)
    await select(other, wide)
    await synced(other, wide, 120_000)
    await expectStoredAsAtGoogle(app, wide, { start: from, end: to })
    const asked = (await app.google.requests()).filter(({ siteUrl, dims }) => siteUrl === wide && dims?.join() === 'date,page')
    expect(asked.map(({ startDate, endDate }) => [startDate, endDate])).toEqual([
      ['2026-03-12', to],
      [from, full],
      [from, '2026-03-04'],
      ['2026-03-05', full],
    ])
  },
)

test(
  'more rows on one day than Google returns: the first 50,000 are stored, and the day is marked as capped',
  { tags: ['full'] },
  async ({ app, owner }) => {
    await fillDay(app, '2026-03-15', 50_001)
    await app.google.forgetRequests()
    expect((await refresh(owner, site)).state).toBe('ok')
    await expectStoredAsAtGoogle(app, site, span)
    expect(await pagesAskedFor(app, 'date,query,page', '2026-03-15')).toEqual([0, 25_000, 50_000])
    const summary = analyticsSummary.parse((await owner.get('/api/analytics/summary')).body)
    expect(summary).toMatchObject({ pages: { cutOffDays: 1 }, keywords: { cutOffDays: 1 }, pairs: { cutOffDays: 1 } })
  },
)

test(
  'a result page that fails in the middle of a long day: none of the day is stored, then all of it',
  { tags: ['full'] },
  async ({ app, owner }) => {
    await fillDay(app, '2026-03-17', 30_000)
    await app.google.fail({ error: 'truncatedBody', times: 1000, laterPages: true })
    expect((await refresh(owner, site)).state).toBe('google_unavailable')
    await app.google.stopFailing()
    expect((await refresh(owner, site)).state).toBe('ok')
    await expectStoredAsAtGoogle(app, site, span)
  },
)
