import type { DeliverySettings } from '../../contract/delivery.ts'
import type { Db } from '../database/open.ts'

/** What somebody chose, whether or not their plan covers it now. */
export type StoredSettings = Omit<DeliverySettings, 'id'> & { id: number }

const columns = ['id', 'emailEnabled', 'criticalAlerts', 'warningAlerts', 'positiveAlerts', 'slackEnabled', 'frequency'] as const

export function createDeliveryStore(db: Db) {
  return {
    async load(userId: string): Promise<StoredSettings | null> {
      return (await db.selectFrom('deliverySettings').where('userId', '=', userId).select(columns).executeTakeFirst()) ?? null
    },

    /** Answers null when there are some already. */
    async create(userId: string, settings: Omit<StoredSettings, 'id'>): Promise<StoredSettings | null> {
      const row = await db
        .insertInto('deliverySettings')
        .values({ userId, ...settings })
        .onConflict((oc) => oc.column('userId').doNothing())
        .returning(columns)
        .executeTakeFirst()
      return row ?? null
    },

    /** Answers null when there are none. */
    async change(userId: string, changed: Partial<Omit<StoredSettings, 'id'>>): Promise<StoredSettings | null> {
      const row = await db.updateTable('deliverySettings').set(changed).where('userId', '=', userId).returning(columns).executeTakeFirst()
      return row ?? null
    },
  }
}
export type DeliveryStore = ReturnType<typeof createDeliveryStore>
