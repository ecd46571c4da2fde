import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { createBaselines } from '../../alerts/unusual/baselines.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'what is stored about the past in web search stays, next to that of other search types; processes of the previous version go on storing',
  async ({ database: { db, pool } }) => {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0062')), silentLog)
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
    await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
    await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'sc-domain:example.com', 'google')`)
    const asBefore = () =>
      pool.query(`INSERT INTO alert_baselines (property_id, metric, rests_on, state)
        SELECT kept.property_id, kept.metric, kept.rests_on, kept.state
        FROM unnest('{1,1}'::bigint[], '{clicks,impressions}'::text[], '{a,b}'::text[], '{"{\\"days\\": 3}","{\\"days\\": 4}"}'::jsonb[])
          AS kept (property_id, metric, rests_on, state)
        JOIN properties ON properties.id = kept.property_id
        ON CONFLICT (property_id, metric) DO UPDATE SET rests_on = excluded.rests_on, state = excluded.state`)
    await asBefore()
    await migrate(db, migrations, silentLog)

    const baselines = createBaselines(db)
    const stored = (await baselines.load([1]))
      .values()
      .toArray()
      .toSorted((a, b) => a.restsOn.localeCompare(b.restsOn))
    const clicks = { propertyId: 1, searchType: 'web', metric: 'clicks', restsOn: 'a', state: { days: 3 } }
    expect(stored).toEqual([clicks, { ...clicks, metric: 'impressions', restsOn: 'b', state: { days: 4 } }])
    const inWeb = stored.find(({ metric }) => metric === 'clicks')!
    await baselines.store([
      { ...inWeb, restsOn: 'c' },
      { ...inWeb, searchType: 'discover', restsOn: 'd' },
    ])
    await asBefore()
    const restsOn = [...(await baselines.load([1])).values()].map((of) => `${of.searchType} ${of.metric} ${of.restsOn}`)
    expect(restsOn.toSorted()).toEqual(['discover clicks d', 'web clicks c', 'web impressions b'])
  },
)
