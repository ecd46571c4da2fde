import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { newPerson, propertyId, refresh, select, shortenHistory, stoppedAs, synced } from '../../../test/support/people.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'
import { currentLoads } from '../facts/current-loads.ts'
import { dailyTotals } from '../facts/questions/daily-totals.ts'

const site = 'https://long-gone.example/'
const halfway = 'https://halfway.example/'
const rows = [{ query: 'a', page: `${site}a`, clicks: 3, impressions: 30, position: 2 }]
/** The days stored before the absence. */
const before = eachDay('2025-12-27', '2026-01-05')
/** Google has nothing before this day anymore. */
const [back, oldest] = ['2027-06-05', '2026-02-05']

const test = appTest({ today: '2026-01-05', demo: false }).extend('owner', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'empty', [halfway]: 'empty' }, plan: 'agency' })
  for (const name of [site, halfway])
    await app.google.call('PUT', 'rows', { site: name, date: '2025-12-20', until: addDays(oldest, 10), rows })
  for (const name of [site, halfway]) {
    await shortenHistory(app, name, 10)
    await select(owner, name)
    await synced(owner, name)
  }
  const { sql } = await app.stores()
  await sql(`UPDATE sessions SET expires_at = '2028-01-01'`)
  await sql(
    `UPDATE search_type_syncs SET backfill_to = '2025-03-01', backfilled_from = $2, final_through = $3, fetched_through = $3
     WHERE property_id = $1`,
    [await propertyId(app, halfway), addDays(oldest, 3), addDays(back, -3)],
  )
  // A few of the missed days are enough.
  await app.google.fail({ error: 'loadQuota', after: 40, seconds: 600, kind: 'query', site })
  await app.google.setToday(back)
  return owner
})

async function stored(app: TestApp, name: string) {
  const { facts } = await app.stores()
  const scope = { property: await propertyId(app, name), searchType: 'web', start: '2025-01-01', end: '2027-12-31' } as const
  const days = (await facts.ask(currentLoads, 'total', scope)).map(({ date }) => date).toSorted()
  return { days, shown: (await facts.ask(dailyTotals, scope)).map(({ date }) => date).toSorted() }
}

test('a property that was away for longer than Google keeps days keeps its own, and the days missed in between stay unknown', async ({
  app,
  owner,
}) => {
  await owner.send('POST', '/api/sync', { property: site })
  await stoppedAs(owner, site, 'quota')
  const { days, shown } = await stored(app, site)
  expect(days.length).toBeGreaterThan(before.length + 10)
  expect(days).toEqual([...before, ...eachDay(oldest, days.at(-1)!)])
  expect(shown).toEqual([...before, ...eachDay(oldest, addDays(oldest, 10))])
})

test('a backfill that was interrupted for months ends with the first day Google still has', async ({ app, owner }) => {
  await refresh(owner, halfway)
  await synced(owner, halfway)
  const { days } = await stored(app, halfway)
  expect(days.filter((day) => day <= addDays(oldest, 2))).toEqual([...before, ...eachDay(oldest, addDays(oldest, 2))])
})
