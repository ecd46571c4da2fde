import { sites, startTestApp, type TestApp } from './app.ts'
import { synced } from './people.ts'

/** Far from new year and from any clock change, so that periods are written in their short form. */
const today = '2026-03-18'
/** The longest screen shows 28 days; 16 months would take half a minute. */
const firstDays = { web: '2026-02-15', image: today, discover: today }

/** A demo whose history is short and stored to its end, so that nothing changes while somebody looks. */
export async function startShortDemo(): Promise<TestApp> {
  const app = await startTestApp({ today })
  const { sql } = await app.stores()
  for (const [type, day] of Object.entries(firstDays)) {
    await sql(
      `INSERT INTO search_type_syncs (property_id, search_type, backfill_to) SELECT id, $1, $2 FROM properties
       ON CONFLICT (property_id, search_type) DO UPDATE SET backfill_to = $2`,
      [type, day],
    )
  }
  const demo = await app.demo()
  await Promise.all(Object.values(sites).map((site) => synced(demo, site, 60_000)))
  return app
}
