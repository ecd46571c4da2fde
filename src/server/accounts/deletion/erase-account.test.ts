import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { databaseTest } from '../../../../test/support/database.ts'
import { until } from '../../../../test/support/until.ts'
import type { Db } from '../../database/open.ts'
import { eraseAccount } from './erase-account.ts'

let people = 0

const test = databaseTest()
  .extend('db', { scope: 'file' }, ({ database }) => database.db)
  /** A person with data of every kind. */
  .extend('somebody', async ({ database, db }) => {
    const name = `person${++people}`
    const propertyId = await database.property(name)
    const userId = `user-of-${name}`
    await db.insertInto('people').values({ userId, selectedPropertyId: propertyId }).execute()
    await db.insertInto('propertySyncs').values({ propertyId }).execute()
    await db.insertInto('searchTypeSyncs').values({ propertyId, searchType: 'web', backfillTo: '2026-01-01' }).execute()
    await db.insertInto('deliverySettings').values({ userId }).execute()
    await db.insertInto('annotations').values({ userId, propertyId, date: '2026-01-01', text: 'A note', createdAt: new Date() }).execute()
    const segment = { userId, kind: 'segment', name: 'Lamps', content: 'query contains lamp', createdAt: new Date() } as const
    await db.insertInto('savedExplorations').values(segment).execute()
    await insertDeliveries(db, userId, propertyId)
    await insertApiKey(db, userId)
    const isThere = async () =>
      (await db.selectFrom('users').where('id', '=', userId).select('id').execute()).length > 0 &&
      (await db.selectFrom('properties').where('id', '=', propertyId).select('id').execute()).length > 0
    return { name, userId, propertyId, isThere }
  })

async function insertApiKey(db: Db, userId: string): Promise<void> {
  const key = { userId, name: 'Key', scope: 'read', hash: randomBytes(32), start: 'rk_4fQ2', createdAt: new Date() } as const
  const { id } = await db.insertInto('apiKeys').values(key).returning('id').executeTakeFirstOrThrow()
  const request = { apiKeyId: id, idempotencyKey: 'once', fingerprint: randomBytes(32), begunAt: new Date(), lockedUntil: new Date() }
  await db.insertInto('apiRequests').values(request).execute()
}

async function insertDeliveries(db: Db, userId: string, propertyId: number): Promise<void> {
  const [at, whose] = [new Date(), { userId, propertyId }]
  await db.insertInto('deliveryChannels').values({ userId, channel: 'sms', destination: 'sealed' }).execute()
  await db.insertInto('digestSchedules').values({ userId, nextAt: at }).execute()
  const alert = await db
    .insertInto('alerts')
    .values({
      propertyId,
      type: 'clicks',
      entityKind: 'connection',
      entityName: 'data_late',
      severity: 'warning',
      state: 'firing',
      opening: 'null',
      figures: 'null',
      contributors: '[]',
      series: '[]',
      action: 'null',
      openedAt: at,
      judgedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const message = { ...whose, channel: 'sms', kind: 'alerts', message: '{}', nextAttemptAt: at, giveUpAt: at, createdAt: at } as const
  const notification = await db.insertInto('notifications').values(message).returning('id').executeTakeFirstOrThrow()
  const notified = { channel: 'sms', event: 'opened', at, state: 'told', notificationId: notification.id } as const
  await db
    .insertInto('deliveryNews')
    .values({ ...whose, ...notified, alertId: alert.id })
    .execute()
  await insertVerdict(db, userId, alert.id)
}

/** Their rating of an alert, and its event. */
async function insertVerdict(db: Db, userId: string, alertId: number): Promise<void> {
  const at = new Date()
  await db.updateTable('alerts').set({ verdict: 'noise', verdictAt: at }).where('id', '=', alertId).execute()
  const event = { alertId, fromState: 'firing', toState: 'firing', reason: 'verdict_noise', byUser: userId, at } as const
  await db.insertInto('alertEvents').values(event).execute()
}

test('deletes everything of theirs, and can be repeated', async ({ db, somebody: { name, userId, propertyId, isThere } }) => {
  const now = new Date()
  const link = { id: `link-${name}`, identifier: 'reset-password', expiresAt: now, createdAt: now, updatedAt: now }
  await db
    .insertInto('verifications')
    .values([
      { ...link, value: userId },
      { ...link, id: `address-of-${name}`, value: JSON.stringify({ kind: 'undo-address', userId, email: 'ann@example.test' }) },
      { ...link, id: 'of-another', value: JSON.stringify({ userId: 'user-of-somebody-else', email: `${userId}@example.test` }) },
    ])
    .execute()
  const alerts = await db.selectFrom('alerts').where('propertyId', '=', propertyId).select(['id', 'verdict']).execute()
  expect(alerts).toMatchObject([{ verdict: 'noise' }])
  const ratings = db.selectFrom('alertEvents').where('alertId', '=', alerts[0]!.id).select('reason')
  expect(await ratings.execute()).toEqual([{ reason: 'verdict_noise' }])
  // As the request and the job may do at the same time.
  await Promise.all([eraseAccount(db, userId), eraseAccount(db, userId)])
  expect(await isThere()).toBe(false)
  expect(await ratings.execute()).toEqual([])
  const tables = [
    'people',
    'annotations',
    'savedExplorations',
    'deliverySettings',
    'deliveryChannels',
    'digestSchedules',
    'notifications',
    'deliveryNews',
    'apiKeys',
  ] as const
  for (const table of tables) expect(await db.selectFrom(table).where('userId', '=', userId).selectAll().execute()).toEqual([])
  for (const table of ['alerts', 'propertySyncs', 'searchTypeSyncs'] as const)
    expect(await db.selectFrom(table).where('propertyId', '=', propertyId).selectAll().execute()).toEqual([])
  expect(await db.selectFrom('verifications').select('id').execute()).toEqual([{ id: 'of-another' }])
})

test("while it takes a long time, no lease of theirs is locked: others' are renewed and claimed together with these", async ({
  db,
  somebody: { userId, propertyId, isThere },
}) => {
  const soon = new Date(Date.now() + 60_000)
  const lease = { userId, owner: randomUUID(), until: soon }
  await db
    .insertInto('syncLeases')
    .values({ ...lease, propertyId, kind: 'days' })
    .execute()
  await db
    .insertInto('leases')
    .values({ ...lease, key: String(propertyId), kind: 'message' })
    .execute()
  const leasesLeft = async (trx: Db) => [
    ...(await trx.selectFrom('syncLeases').where('userId', '=', userId).select('kind').forUpdate().skipLocked().execute()),
    ...(await trx.selectFrom('leases').where('userId', '=', userId).select('kind').forUpdate().skipLocked().execute()),
  ]
  const erased = await db.transaction().execute(async (trx) => {
    // It comes to this row after others.
    await trx.selectFrom('deliveryNews').where('userId', '=', userId).select('id').forUpdate().execute()
    const erasing = eraseAccount(db, userId)
    await until(
      async () =>
        (await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)).rows,
      ({ length }) => length > 0,
    )
    expect(await leasesLeft(trx)).toEqual([{ kind: 'days' }, { kind: 'message' }])
    return { erasing }
  })
  await erased.erasing
  expect(await leasesLeft(db)).toEqual([])
  expect(await isThere()).toBe(false)
})
