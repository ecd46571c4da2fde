import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { carried, createBaselines } from '../../alerts/unusual/baselines.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'a property’s past is worked out anew and stored by search type, while processes of the previous version go on storing theirs',
  async ({ database: { db, pool } }) => {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0062')), silentLog)
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
    await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
    await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'sc-domain:example.com', 'google')`)
    const storesAsBefore = () =>
      pool.query(`INSERT INTO alert_baselines (property_id, metric, rests_on, state)
        SELECT kept.property_id, kept.metric, kept.rests_on, kept.state
        FROM unnest('{1,1}'::bigint[], '{clicks,impressions}'::text[], '{a,b}'::text[], '{"{\\"days\\": 3}","{\\"days\\": 4}"}'::jsonb[])
          AS kept (property_id, metric, rests_on, state)
        JOIN properties ON properties.id = kept.property_id
        ON CONFLICT (property_id, metric) DO UPDATE SET rests_on = excluded.rests_on, state = excluded.state`)
    await storesAsBefore()
    await migrate(db, migrations, silentLog)

    const baselines = createBaselines(db)
    expect(await baselines.load([1])).toEqual(new Map())
    const history = { name: 'example.com', counts: { start: '2026-01-01', counts: [7, 8, 9] }, isHoliday: () => false }
    for (const searchType of ['web', 'discover'] as const) {
      const { baseline } = await carried({ propertyId: 1, searchType, metric: 'clicks', country: null }, history, undefined)
      await baselines.store([baseline!])
    }
    await storesAsBefore()
    const stored = [...(await baselines.load([1])).values()].map(({ searchType, metric, state }) => [searchType, metric, state.days])
    expect(stored.toSorted()).toEqual([
      ['discover', 'clicks', 2],
      ['web', 'clicks', 2],
    ])
  },
)
