import { sql } from 'kysely'
import { expect } from 'vitest'
import { databaseTest } from '../../../test/support/database.ts'
import { silentLog } from '../../../test/support/platform.ts'
import { until } from '../../../test/support/until.ts'
import { createEventBus } from '../common/events.ts'
import { isStaying } from '../database/staying.ts'
import { wakeAlerts } from './end-snoozes.ts'

const test = databaseTest()

test("while an account is being deleted, which may take minutes, others' alerts wake from their snooze", async ({ database }) => {
  const { db } = database
  const now = new Date('2026-03-18T12:00:00Z')
  /** A property with an alert whose snooze is over. */
  async function snoozed(name: string): Promise<number> {
    const propertyId = await database.property(name)
    await db.updateTable('properties').set({ monitored: true }).where('id', '=', propertyId).execute()
    await sql`INSERT INTO alerts (property_id, type, entity_kind, entity_name, severity, state, snoozed_until, opening, figures, contributors, series,
        action, opened_at, judged_at)
      VALUES (${propertyId}, 'clicks', 'connection', 'data_late', 'warning', 'snoozed', ${now}, 'null', 'null', '[]', '[]', 'null', ${now}, ${now})`.execute(
      db,
    )
    return propertyId
  }
  const [leaving, staying] = [await snoozed('https://leaving.example/'), await snoozed('https://staying.example/')]
  const events = createEventBus()
  events.on('alertsChanged', async ({ userId, propertyId, woken, transaction }) => {
    const news = woken.map(({ alertId }) => ({
      ...({ channel: 'webhook', event: 'woken', state: 'waiting' } as const),
      userId,
      propertyId,
      alertId: Number(alertId),
      at: now,
      notBefore: now,
    }))
    await transaction.insertInto('deliveryNews').values(news).execute()
  })
  const stateOf = async (propertyId: number) =>
    (await db.selectFrom('alerts').where('propertyId', '=', propertyId).select('state').executeTakeFirstOrThrow()).state

  const deletion = await database.pool.connect()
  try {
    await deletion.query('BEGIN')
    await deletion.query(`SELECT FROM users WHERE id = 'user-of-https://leaving.example/' FOR UPDATE`)
    const waking = wakeAlerts({ db, events, log: silentLog }, now)
    await until(
      () => stateOf(staying),
      (state) => state === 'firing',
    )
    await waking
    expect(await stateOf(leaving)).toBe('snoozed')
    expect(await isStaying(db, 'user-of-https://staying.example/')).toBe(true)
  } finally {
    await deletion.query('ROLLBACK')
    deletion.release()
  }
  await wakeAlerts({ db, events, log: silentLog }, now)
  expect(await stateOf(leaving)).toBe('firing')
})
