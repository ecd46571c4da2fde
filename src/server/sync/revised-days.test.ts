import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { ownerOf, propertyId, refresh } from '../../../test/support/people.ts'
import { dailyTotals } from '../facts/questions/daily-totals.ts'
import { topRows } from '../../../test/support/top-rows.ts'

const site = 'https://revised.example/'

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerOf(app, site, { profile: 'local', days: 10 }))
  .extend(
    'expectSameAsGoogle',
    { scope: 'file' },
    ({ app, owner: _owner }) =>
      (end: string) =>
        expectStoredAsAtGoogle(app, site, { start: '2026-03-09', end }),
  )

test('the first sync stores what Google has, including unfinished days', ({ expectSameAsGoogle }) => expectSameAsGoogle('2026-03-18'))

test('a day that Google revises twice before it is final is right after each sync', async ({ app, owner, expectSameAsGoogle }) => {
  await app.google.revise(site, '2026-03-17', { factor: 1.4 })
  await refresh(owner, site)
  await expectSameAsGoogle('2026-03-18')
  await app.google.revise(site, '2026-03-17', { factor: 0.7 })
  await refresh(owner, site)
  await expectSameAsGoogle('2026-03-18')
})

test('a final day that Google revises anyway is noticed and replaced', async ({ app, owner, expectSameAsGoogle }) => {
  await app.google.revise(site, '2026-03-11', { factor: 1.3 })
  await refresh(owner, site)
  await expectSameAsGoogle('2026-03-18')
})

test('a day whose rows shrink loses exactly those rows, in every grain', { tags: ['full'] }, async ({ app, owner, expectSameAsGoogle }) => {
  await app.google.revise(site, '2026-03-12', { rows: 3 })
  await refresh(owner, site)
  await expectSameAsGoogle('2026-03-18')
})

test('a day whose rows all vanish is empty, in every grain', { tags: ['full'] }, async ({ app, owner, expectSameAsGoogle }) => {
  await app.google.setRows(site, '2026-03-13', [])
  await refresh(owner, site)
  await expectSameAsGoogle('2026-03-18')
  const { facts } = await app.stores()
  const scope = { property: await propertyId(app, site), searchType: 'web', start: '2026-03-13', end: '2026-03-13' } as const
  expect(await facts.ask(dailyTotals, scope)).toEqual([])
  expect(await facts.ask(topRows<'query_page'>, 'query_page', scope, 10)).toEqual([])
})

test('days become final over time, and are no longer fetched afterwards', async ({ app, owner, expectSameAsGoogle }) => {
  await app.google.setToday('2026-03-24')
  const status = await refresh(owner, site)
  expect(status.completeThrough! >= '2026-03-20').toBe(true)
  await expectSameAsGoogle('2026-03-24')

  await app.google.forgetRequests()
  await refresh(owner, site)
  const asked = (await app.google.requests()).filter((request) => request.dims?.includes('query'))
  expect(asked.every((request) => request.startDate! > status.completeThrough!)).toBe(true)
})
