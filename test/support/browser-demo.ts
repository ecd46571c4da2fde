import { sites, startTestApp, type TestApp } from './app.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { synced } from './people.ts'

/** Far from new year and from any clock change, so that periods are written in their short form. */
const today = '2026-03-18'
/** The longest screen shows 28 days; 16 months would take half a minute. */
const firstDays = { web: '2026-02-15', image: today, discover: today }

export type DemoInBrowser = { app: TestApp; browser: TestBrowser; close(): Promise<void> }

/** A demo with a short history, all of which is stored, and a browser to look at it. */
export async function startDemoInBrowser(): Promise<DemoInBrowser> {
  const app = await startTestApp({ today })
  const [browser] = await Promise.all([openBrowser(app), history(app)])
  return {
    app,
    browser,
    async close() {
      await browser.close()
      await app.close()
    },
  }
}

async function history(app: TestApp): Promise<void> {
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
}
