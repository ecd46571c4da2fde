import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { SyncStatus } from '../../contract/sync.ts'
import { ruleOf } from '../../../test/support/answers/rules.ts'
import { backtestQuery, proposalQuery } from './alert-conditions.ts'
import { allKeywords, allPages, allSites, historyQuery, pageTrends, searchTypesQuery, summaryQuery } from './analytics.ts'
import { brandListQuery, brandSplitQuery, reloadAfterBrandChange } from './brand.ts'
import { changesQuery, exploreHistory, exploreRows, exploreTrends, fewRowsQuery, savedQuery } from './explore.ts'
import { metricsQuery } from './metrics.ts'
import { createQueryClient } from './query-client.ts'
import { periodicReportQuery } from './reports.ts'
import { searchQuery } from './search.ts'
import { historyProgress, isUnderWay, lookAgainMillis, reloadAfterImport, syncQuery } from './sync.ts'

const idle: SyncStatus = {
  property: 'sc-domain:shop.example',
  state: 'ok',
  message: null,
  action: null,
  running: false,
  daysLeft: 0,
  daysTotal: 0,
  secondsLeft: null,
  lastSyncedAt: '2026-11-21T08:00:00.000Z',
  retryAt: null,
  completeThrough: '2026-11-19',
  firstDate: '2025-07-21',
  lastDate: '2026-11-21',
}

test('nothing is polled while nothing happens', () => {
  expect(isUnderWay(idle)).toBe(false)
  expect(lookAgainMillis(idle)).toBe(false)
})

test('a running sync is polled every second, also between its slices', () => {
  expect(lookAgainMillis({ ...idle, running: true })).toBe(1_000)
  expect(lookAgainMillis({ ...idle, daysLeft: 30, daysTotal: 489 })).toBe(1_000)
})

test('one that waits for Google is polled now and then', () => {
  const waiting: SyncStatus = { ...idle, state: 'quota', daysLeft: 30, daysTotal: 489, retryAt: '2026-11-21T08:15:00.000Z' }
  expect(isUnderWay(waiting)).toBe(false)
  expect(lookAgainMillis(waiting)).toBe(10_000)
})

test("one that waits for its owner isn't polled", () => {
  const stuck: SyncStatus = { ...idle, state: 'token_revoked', daysLeft: 30, daysTotal: 489 }
  expect(isUnderWay(stuck)).toBe(false)
  expect(lookAgainMillis(stuck)).toBe(false)
})

test('the history shows how much of it is in, and how long the rest takes', () => {
  const history = { ...idle, running: true, daysLeft: 405, daysTotal: 489 }
  expect(historyProgress(idle)).toBeNull()
  expect(historyProgress({ ...history, daysLeft: 489 })).toEqual({ days: 'Importing history: 0 of 489 days', left: null })
  expect(historyProgress({ ...history, secondsLeft: 59 })).toEqual({
    days: 'Importing history: 84 of 489 days',
    left: 'less than a minute left',
  })
  expect(historyProgress({ ...history, secondsLeft: 90 })).toMatchObject({ left: 'about 2 minutes left' })
  expect(historyProgress({ ...history, secondsLeft: 9_000 })).toMatchObject({ left: 'about 2.5 hours left' })
  expect(historyProgress({ ...history, running: false, state: 'token_revoked' })).toBeNull()
})

test("after an import the property's last update is fetched again", async () => {
  const imported: SyncStatus = {
    ...idle,
    state: 'imported',
    firstDate: '2026-09-01',
    lastDate: '2026-09-30',
    completeThrough: '2026-09-30',
  }
  let status = imported
  vi.stubGlobal(
    'fetch',
    vi.fn<() => Promise<Response>>(async () => Response.json([status])),
  )
  const client = createQueryClient()
  const shown = new QueryObserver(client, syncQuery(imported.property))
  const stop = shown.subscribe(() => {})
  await vi.waitFor(() => expect(shown.getCurrentResult().data).toEqual(imported))
  status = { ...imported, lastDate: '2026-10-31', completeThrough: '2026-10-31' }
  await reloadAfterImport(client)
  expect(shown.getCurrentResult().data).toEqual(status)
  stop()
  vi.unstubAllGlobals()
})

test('a site that waits for its first turn is polled every second', () => {
  expect(
    lookAgainMillis({ ...idle, state: 'never', daysLeft: 486, daysTotal: 486, lastSyncedAt: null, firstDate: null, lastDate: null }),
  ).toBe(1_000)
})

const property = 'sc-domain:shop.example'
const period = { range: '28d', compare: 'previous' }
const view = { range: '28d', compare: 'previous', grain: 'day', segment: '7' } as const
const ofSegment = { type: 'clicks', monitor: 'site', segment: '7' } as const
const explored = { property, ...period, type: 'web', by: 'query', sort: 'clicks', order: 'desc', where: 'brand is yes' } as const

test('changed brand terms reach everything with figures: filters and segments by brand, on any screen, in reports and rules, and for all sites', async () => {
  const client = createQueryClient()
  const figures = [
    metricsQuery(property, view),
    historyQuery(property, view),
    exploreRows(explored).options,
    exploreHistory(explored),
    exploreTrends(explored)(0),
    fewRowsQuery({ ...explored, limit: 5 }),
    changesQuery({ property, ...period, segment: '7', by: 'query' }),
    searchTypesQuery(property, period),
    summaryQuery(property, period),
    brandSplitQuery(property, period),
    allKeywords(property, { ...period, limit: 200 }).options,
    allKeywords(allSites, { ...period, segment: '7', limit: 200 }).options,
    allPages(property, { ...period, segment: '7', limit: 200 }).options,
    pageTrends(property, period)(0),
    searchQuery(property, 'lamp', view),
    periodicReportQuery(property, { kind: 'week', start: undefined, segment: '7', plan: 'pro' }),
    backtestQuery(property, ofSegment, false),
    proposalQuery(ruleOf(ofSegment)),
  ].map(({ queryKey }) => queryKey)
  const others = [savedQuery, brandListQuery(property), syncQuery(property)].map(({ queryKey }) => queryKey)
  for (const key of [...figures, ...others]) client.setQueryData(key, null)
  await reloadAfterBrandChange(client)
  const isOutdated = (key: (typeof figures)[number]) => client.getQueryState(key)?.isInvalidated
  expect(figures.filter((key) => !isOutdated(key))).toEqual([])
  expect(others.filter(isOutdated)).toEqual([])
})
