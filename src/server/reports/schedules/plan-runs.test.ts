import { expect } from 'vitest'
import { databaseTest } from '../../../../test/support/database.ts'
import type { DeliverySettings } from '../../../contract/delivery/delivery.ts'
import type { Person } from '../../accounts/service.ts'
import { createLog } from '../../platform/log.ts'
import { tenantNow } from '../../platform/tenant.ts'
import { planRuns } from './plan-runs.ts'

// One account has many due schedules, and questions of its own that take forever.

const test = databaseTest()
const now = new Date('2026-03-18T09:00:00Z')

test("whether a report is complete is asked on its owner's account, before any row is locked, and an owner whose answers take too long holds up nobody", async ({
  database: { db, pool, property },
}) => {
  const scheduled = async (name: string, count: number): Promise<string> => {
    const id = await property(`https://${name}.example/`)
    await pool.query('UPDATE properties SET monitored = true WHERE id = $1', [id])
    await pool.query('INSERT INTO property_syncs (property_id) VALUES ($1) ON CONFLICT DO NOTHING', [id])
    await pool.query(
      `INSERT INTO report_schedules (user_id, property_id, kind, paper, recipients, enabled, first_start, look_at, created_at)
       SELECT user_id, id, 'week', 'a4', '{a@b.example}', true, '2026-03-02', $2, $2 FROM properties, generate_series(1, $3) WHERE id = $1`,
      [id, now, count],
    )
    return `user-of-https://${name}.example/`
  }
  const [busy, calm] = [await scheduled('busy', 3), await scheduled('calm', 1)]
  const asked: { tenant: string; free: number }[] = []
  const runs: string[] = []
  await planRuns({
    db,
    accounts: { person: async (id) => ({ id, plan: 'agency' }) as Person },
    delivery: { settingsOf: async () => ({ timeZone: 'UTC', digestHour: 8 }) as DeliverySettings },
    periodic: {
      async isComplete() {
        const { rows } = await pool.query('SELECT FROM report_schedules WHERE user_id = $1 FOR UPDATE SKIP LOCKED', [tenantNow()])
        asked.push({ tenant: tenantNow(), free: rows.length })
        if (tenantNow() === busy) throw new Error('Too late')
        return true
      },
    },
    recipients: { reached: async () => () => true },
    saved: { segment: async () => Promise.reject(new Error('No segment')) },
    enqueue: async ({ userId }) => void runs.push(userId),
    hasMail: true,
    clock: { now: () => now },
    log: createLog('silent', true),
  })
  // The first of the busy account's three, and the other account's.
  expect(asked).toEqual([
    { tenant: busy, free: 3 },
    { tenant: calm, free: 1 },
  ])
  expect(runs).toEqual([calm])
  const { rows: later } = await pool.query<{ minutes: number }>(
    'SELECT extract(epoch FROM look_at - $2) / 60 AS minutes FROM report_schedules WHERE user_id = $1',
    [busy, now],
  )
  expect(later.map(({ minutes }) => Number(minutes))).toEqual([10, 10, 10])
})
