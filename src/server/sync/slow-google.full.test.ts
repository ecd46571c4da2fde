import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { backfillFrom, newPerson, select, synced } from '../../../test/support/people.ts'

const site = 'https://slow.example/'
/** Every Google answer takes longer than a slice. */
const [sliceMs, answerMs] = [20, 60]

const test = appTest({ today: '2026-03-18', demo: false, sliceMs }).extend('owner', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'local' } })
  const { sql } = await app.stores()
  await backfillFrom(sql, site, '2026-03-05')
  await sql(`INSERT INTO search_type_syncs (property_id, search_type, backfill_to) SELECT id, 'discover', '2026-03-08' FROM properties`)
  await app.google.delay(answerMs, 'query')
  await select(owner, site)
  return owner
})

/** How often Google was asked for the queries of the pages of each day: once in every chunk that contains the day. */
async function timesAsked(app: TestApp): Promise<Map<string | null, number>> {
  const asked = (await app.google.requests()).filter(({ dims }) => dims?.join() === 'date,query,page')
  return new Map([...Map.groupBy(asked, ({ startDate }) => startDate)].map(([day, each]) => [day, each.length]))
}

test(
  'a Google that takes longer for one response than a slice lasts is asked again, and for no day twice',
  { timeout: 140_000 },
  async ({ app, owner }) => {
    // A Google whose answers take longer than a slice still gets asked, back to the first day of every search type.
    {
      expect(await synced(owner, site, 60_000)).toMatchObject({ firstDate: '2026-03-05', daysLeft: 0 })
      expect(
        await (
          await app.stores()
        ).sql(`SELECT search_type, backfilled_from = backfill_to AS whole FROM search_type_syncs ORDER BY search_type`),
      ).toEqual([
        { search_type: 'discover', whole: true },
        { search_type: 'web', whole: true },
      ])
      await expectStoredAsAtGoogle(app, site, { start: '2026-03-05', end: '2026-03-18' })
    }

    // No slice but the first asked again for days just fetched.
    {
      const asked = await timesAsked(app)
      expect(asked.size).toBe(14)
      expect([...asked.values()].filter((times) => times > 1)).toEqual([])
    }

    // A later round asks once for what is new and continues with older days.
    {
      await app.google.setToday('2026-03-21')
      await backfillFrom((await app.stores()).sql, site, '2026-02-26')
      await app.google.forgetRequests()
      await owner.send('POST', '/api/sync', { property: site })
      expect(await synced(owner, site, 60_000)).toMatchObject({ firstDate: '2026-02-26', lastDate: '2026-03-21', daysLeft: 0 })
      const asked = await timesAsked(app)
      expect([...asked.values()].filter((times) => times > 1)).toEqual([])
      expect([...asked.keys()]).toEqual(expect.arrayContaining(['2026-02-26', '2026-03-18', '2026-03-21']))
      await expectStoredAsAtGoogle(app, site, { start: '2026-02-26', end: '2026-03-21' })
    }
  },
)
