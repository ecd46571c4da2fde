import { announce } from '../../src/server/alerts/incidents/announce.ts'
import { createEventBus } from '../../src/server/common/events.ts'
import { openDatabase } from '../../src/server/database/open.ts'
import { createAnnouncements } from '../../src/server/delivery/announcements.ts'
import { createDeliveryService } from '../../src/server/delivery/service.ts'
import { createDeliveryStore } from '../../src/server/delivery/store.ts'
import pg from 'pg'
import type { TestApp } from './app.ts'
import { putAlerts, type StoredAlert } from './stored-alerts.ts'
import { databaseUrlOf } from './stores.ts'

/** Adds alerts without the rules, with their announcements, as an evaluation leaves both: the next check sends it. Returns their ids. */
export async function openAlerts(app: TestApp, site: string, alerts: readonly StoredAlert[]): Promise<string[]> {
  const ids = await putAlerts(app, site, alerts)
  await announceOf(app, site, { opened: ids.map(Number) })
  return ids
}

/** Announces what happened to stored alerts, as the transaction that changed them does. */
export async function announceOf(
  app: TestApp,
  site: string,
  changed: Omit<Parameters<typeof announce>[2], 'userId' | 'propertyId'>,
): Promise<void> {
  const pool = new pg.Pool({ connectionString: await databaseUrlOf(app.dataDir), max: 2 })
  try {
    const db = openDatabase(pool)
    const delivery = createDeliveryService({ store: createDeliveryStore(db), hasSms: true, onChanged: async () => {} })
    await db.transaction().execute(async (transaction) => {
      const { id, userId, plan } = await transaction
        .selectFrom('properties')
        .innerJoin('people', 'people.userId', 'properties.userId')
        .where('name', '=', site)
        .select(['properties.id', 'properties.userId', 'plan'])
        .executeTakeFirstOrThrow()
      const announcements = createAnnouncements({ settingsOf: (_user, trx) => delivery.settingsOf(userId, plan, trx) })
      const events = createEventBus()
      events.on('alertsChanged', (happened) => announcements.note(happened, app.google.now()))
      await announce(events, transaction, { userId, propertyId: id, ...changed })
    })
  } finally {
    await pool.end()
  }
}
