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
const nothing = async () => {}
test('deletes everything of theirs, and reports it once', async ({ db, somebody: { name, userId, propertyId, isThere } }) => {
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
  expect(await eraseAccount(db, userId, nothing)).toBe(true)
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
  expect(await eraseAccount(db, userId, nothing)).toBe(false)
})

test('whatever else fails leaves the account intact, and undoes what was stored along with it', async ({
  db,
  somebody: { name, userId, isThere },
}) => {
  const failing = eraseAccount(db, userId, async (transaction) => {
    await transaction
      .insertInto('stripeEvents')
      .values({ id: `of-${name}`, type: 'a note', handledAt: new Date() })
      .execute()
    throw new Error('the queue does not answer')
  })
  await expect(failing).rejects.toThrow('the queue does not answer')
  expect(await isThere()).toBe(true)
  expect(await db.selectFrom('stripeEvents').selectAll().execute()).toEqual([])
})

test('requested twice at the same time, it happens once, along with everything that belongs to it', async ({
  db,
  somebody: { userId },
}) => {
  let undone = 0
  const erase = () => eraseAccount(db, userId, async () => void (undone += 1))
  expect((await Promise.all([erase(), erase()])).toSorted()).toEqual([false, true])
  expect(undone).toBe(1)
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
    const erasing = eraseAccount(db, userId, nothing)
    await until(
      async () =>
        (await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)).rows,
      ({ length }) => length > 0,
    )
    expect(await leasesLeft(trx)).toEqual([{ kind: 'days' }, { kind: 'message' }])
    return { erasing }
  })
  expect(await erased.erasing).toBe(true)
  expect(await leasesLeft(db)).toEqual([])
  expect(await isThere()).toBe(false)
})

test(
  'a sync that locks the same rows in another order only delays it',
  { tags: ['full'] },
  async ({ db, somebody: { userId, propertyId, isThere } }) => {
    const lock = (trx: Db, table: 'searchTypeSyncs' | 'propertySyncs') =>
      trx.selectFrom(table).where('propertyId', '=', propertyId).select('propertyId').forUpdate().execute()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // Locks like the sync when it notes what it stored: first the search type, then the property. It never checks for deadlocks, so
    // PostgreSQL aborts the deletion instead.
    const sync = db.transaction().execute(async (trx) => {
      await sql`SET LOCAL deadlock_timeout = '1h'`.execute(trx)
      await lock(trx, 'searchTypeSyncs')
      first.resolve()
      await second.promise
      await lock(trx, 'propertySyncs')
    })
    await first.promise
    const waiting = async () =>
      (await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)).rows.length
    let tries = 0
    const erased = eraseAccount(db, userId, async (trx) => {
      tries += 1
      // The rows are free once the first attempt ends: whoever comes first gets them, here the sync.
      if (tries > 1) await sync
      await lock(trx, 'propertySyncs')
      second.resolve()
      if (tries === 1) await until(waiting, (locks) => locks > 0)
    })
    expect(await erased).toBe(true)
    await sync
    expect(tries).toBe(2)
    expect(await isThere()).toBe(false)
  },
)
