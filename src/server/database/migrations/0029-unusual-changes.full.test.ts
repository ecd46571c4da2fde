import { expect } from 'vitest'
import { blank, databaseTest } from '../../../../test/support/database.ts'
import { silentLog } from '../../../../test/support/platform.ts'
import { defaultOf } from '../../../core/alerting/defaults.ts'
import { conditionOf } from '../../alerts/rules/conditions.ts'
import { createConditionsStore } from '../../alerts/rules/conditions-store.ts'
import { migrate } from '../../platform/migrate.ts'
import { migrations } from './index.ts'

databaseTest(blank)(
  'properties with rules get the one about unusual clicks, where there is room for it',
  async ({ database: { db, pool } }) => {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0029')), silentLog)
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'ann', 'ann@example.test')`)
    await pool.query(`INSERT INTO people (user_id, plan) VALUES ('ann', 'free')`)
    for (const name of ['new', 'some', 'full'])
      await pool.query(`INSERT INTO properties (user_id, name, kind, monitored) VALUES ('ann', $1, 'google', true)`, [name])
    await pool.query(`INSERT INTO alert_watches (property_id, judged_version) SELECT id, 7 FROM properties WHERE name <> 'new'`)
    await pool.query(`INSERT INTO alert_conditions (property_id, type, kind, title, is_enabled, direction, only_unusual, monitor, targets, threshold, threshold_unit)
    SELECT id, 'clicks', 'change', 'Mine', true, 'falls', true, 'site', '[]', 15, '%' FROM properties, generate_series(1, 50)
    WHERE name = 'full' OR (name = 'some' AND generate_series <= 3)`)
    await migrate(db, migrations, silentLog)

    const { rows } = await pool.query<{ id: number; name: string; version: number | null }>(
      `SELECT properties.id, name, judged_version AS version FROM properties LEFT JOIN alert_watches ON property_id = properties.id ORDER BY id`,
    )
    const rulesOf = Object.fromEntries(
      await Promise.all(rows.map(async ({ id, name }) => [name, await createConditionsStore(db).list(id)] as const)),
    )
    expect(Object.entries(rulesOf).map(([name, rules]) => [name, rules.length])).toEqual([
      ['new', 0],
      ['some', 4],
      ['full', 50],
    ])
    expect(rulesOf.some?.map(conditionOf).at(-1)).toEqual({ ...defaultOf('clicks', 'unusual'), isEnabled: true })
    expect(rows.map(({ version }) => version)).toEqual([null, null, null])
  },
)
