import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { quietUntil } from '../../core/delivery/times.ts'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'

type UntimedDeps = { db: Db; settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>; log: Log }

/**
 * Gives a time to news that wait for a digest of somebody who gets none: they chose instant alerts while the news were
 * being stored, so that neither could see the other.
 */
export async function timeUntimed({ db, settingsOf, log }: UntimedDeps, now: Date): Promise<void> {
  const people = await db
    .selectFrom('deliveryNews')
    .innerJoin('deliverySettings', 'deliverySettings.userId', 'deliveryNews.userId')
    .where('deliveryNews.state', '=', 'waiting')
    .where('deliveryNews.notBefore', 'is', null)
    .where('deliverySettings.frequency', '=', 'instant')
    .select('deliveryNews.userId')
    .distinct()
    .execute()
  for (const { userId } of people) {
    try {
      const settings = await settingsOf(userId, db)
      // What their plan does not cover rests, and they get digests.
      if (settings.frequency !== 'instant') continue
      const untimed = db.updateTable('deliveryNews').set({ notBefore: quietUntil(settings, now) ?? now })
      await untimed.where('userId', '=', userId).where('state', '=', 'waiting').where('notBefore', 'is', null).execute()
    } catch (error) {
      log.error({ err: error, userId }, 'news that had no time could not be given one; it is tried again later')
    }
  }
}
