import { sites, startTestApp, startTestAppOn, type TestApp } from './app.ts'
import { synced } from './people.ts'
import type { Snapshot } from './snapshots.ts'

/** Far from new year and from any clock change, so that periods appear in their short form. */
const today = '2026-03-18'
/** The longest screen shows 28 days; 16 months would take half a minute. */
const firstDays = { web: '2026-02-15', image: today, discover: today, googleNews: today }

export type DemoOptions = {
  /** `false`: no test looks at the figures of the demo's properties, so it doesn't wait for them. */
  figures?: boolean
  /** The first day of web figures, for tests that look further back. */
  from?: string
}

/** A demo whose history is short and completely stored, so that nothing changes during a test. */
export const startShortDemo = ({ figures = true, from = firstDays.web }: DemoOptions = {}): Promise<TestApp> =>
  startTestApp({ today, from: demoSince(figures ? from : today) })

/** That demo, fetched once per run for all tests that start from it. */
const demoSince = (from: string): Snapshot => ({
  name: `demo_${from.replaceAll('-', '_')}`,
  async make(home) {
    const app = await startTestAppOn({ ...home, remove: async () => {} }, { today })
    try {
      const { sql } = await app.stores()
      for (const [type, day] of Object.entries({ ...firstDays, web: from })) {
        await sql(
          `INSERT INTO search_type_syncs (property_id, search_type, backfill_to) SELECT id, $1, $2 FROM properties
           ON CONFLICT (property_id, search_type) DO UPDATE SET backfill_to = $2`,
          [type, day],
        )
      }
      const demo = await app.demo()
      await Promise.all(Object.values(sites).map((site) => synced(demo, site, 90_000)))
      // Each copy has its own stand-in, which hasn't issued this access token.
      await sql(`UPDATE google_connections SET access_token_expires_at = now() - interval '1 hour'`)
    } catch (error) {
      // The server's log says more than that it took too long.
      throw new Error(`The demo did not get ready. The server said: ${app.logLines.join('') || 'nothing'}`, { cause: error })
    } finally {
      await app.close()
    }
  },
})
