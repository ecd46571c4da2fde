import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, select, shortenHistory, statusOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { SyncStatus } from '../../contract/sync.ts'

/** Found by web and by image search, on few days, so its history is fetched quickly. */
const site = 'https://pictures.example/'
const rows = [{ query: 'q', page: `${site}a`, clicks: 1, impressions: 5, position: 2 }]
const days = 60

const test = appTest({ today: '2026-03-18', demo: false }).extend('owner', { scope: 'file' }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'empty' } })
  for (const type of ['web', 'image']) await app.google.call('PUT', 'rows', { site, type, date: '2026-03-01', until: '2026-03-15', rows })
  const { sql } = await app.stores()
  // Fetches two months where production fetches sixteen, also for types the sync discovers.
  await sql(`CREATE FUNCTION shortened() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.backfill_to := date '2026-03-18' - ${days - 1}; RETURN NEW; END $$`)
  await sql(`CREATE TRIGGER shortened BEFORE INSERT ON search_type_syncs FOR EACH ROW EXECUTE FUNCTION shortened()`)
  await shortenHistory(app, site, days)
  return owner
})

const done = ({ daysLeft, daysTotal }: SyncStatus) => daysTotal - daysLeft

test(
  'while Google is slow the first days are shown as being fetched; then progress is one number, which never falls, with the remaining time',
  { tags: ['full'] },
  async ({ app, owner }) => {
    await app.google.delay(1_000, 'query')
    await select(owner, site)
    await until(
      () => app.google.requests(),
      (asked) => asked.some(({ dims }) => dims?.includes('page')),
    )
    // The server's clock says it took a minute, the longest a slice was ever expected to take.
    app.google.advance(60_000)
    expect(await statusOf(owner, site)).toMatchObject({
      state: 'never',
      running: true,
      message: null,
      daysLeft: days,
      daysTotal: days,
      secondsLeft: null,
    })

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
    expect(new Set(seen.map(({ daysTotal }) => daysTotal))).toEqual(new Set([days]))
    expect(seen.map(done)).toEqual(seen.map(done).toSorted((a, b) => a - b))
    // Halfway, web search was complete and the other type still to come.
    expect(seen.some((status) => done(status) > days / 2 && status.daysLeft > 0)).toBe(true)
    for (const status of seen) expect(status.secondsLeft === null).toBe(done(status) === 0 || status.daysLeft === 0)
  },
)
