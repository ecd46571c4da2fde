import { expect } from 'vitest'
import { databaseTest } from '../../../test/support/database.ts'
import { silentLog } from '../../../test/support/platform.ts'
import { createEventBus } from '../common/events.ts'
import { openQueue } from '../platform/queue.ts'
import { defineAnalyticsQueues } from './jobs.ts'

const test = databaseTest()

test("properties with new days are prepared in turns: one person's many don't keep another's waiting", async ({ database }) => {
  const { db, pool, url } = database
  const queue = await openQueue({ url, log: silentLog, worker: false })
  const events = createEventBus()
  await defineAnalyticsQueues({ queue, events, db })
  const [first = 0, ...others] = await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => database.property(name)))
  await pool.query('UPDATE properties SET user_id = (SELECT user_id FROM properties WHERE id = $1) WHERE id = ANY ($2)', [first, others])
  const bens = await database.property('b1')

  const complete = (propertyId: number) => events.emit('daysCompleted', { propertyId, from: '2026-07-01', through: '2026-07-02' })
  for (const id of [first, ...others, bens, bens]) await complete(id)
  // One that was deleted meanwhile.
  await complete(bens + 1)
  const { rows } = await pool.query<{ id: number }>(
    `SELECT (data ->> 'propertyId')::int AS id FROM jobs.job WHERE name = 'prepare-reports' ORDER BY priority DESC, created_on`,
  )
  await queue.close(0)
  expect(rows.map(({ id }) => id)).toEqual([first, bens, ...others])
})
