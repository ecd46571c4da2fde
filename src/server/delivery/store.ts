import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { timeZoneOf } from '../../core/delivery/time-zone.ts'
import type { Db } from '../database/open.ts'

/** What somebody chose, whether or not their plan includes it now. */
export type ChosenSettings = Omit<DeliverySettings, 'id' | 'unknownTimeZone'>
export type StoredSettings = ChosenSettings & { id: number } & Pick<DeliverySettings, 'unknownTimeZone'>

const columns = [
  'id',
  'emailEnabled',
  'criticalAlerts',
  'warningAlerts',
  'positiveAlerts',
  'slackEnabled',
  'smsEnabled',
  'webhookEnabled',
  'frequency',
  'timeZone',
  'digestHour',
  'digestWeekday',
  'digestWhenQuiet',
  'quietFrom',
  'quietUntil',
] as const

export function createDeliveryStore(db: Db) {
  return {
    async load(userId: string, trx: Db = db): Promise<StoredSettings | null> {
      const row = await trx.selectFrom('deliverySettings').where('userId', '=', userId).select(columns).executeTakeFirst()
      return row ? fromRow(row) : null
    },

    /** Returns null if there are some already. */
    async create(userId: string, settings: ChosenSettings): Promise<StoredSettings | null> {
      const row = await db
        .insertInto('deliverySettings')
        .values({ userId, ...toRow(settings) })
        .onConflict((oc) => oc.column('userId').doNothing())
        .returning(columns)
        .executeTakeFirst()
      return row ? fromRow(row) : null
    },

    /** Returns null if there are none. */
    async change(userId: string, changed: Partial<ChosenSettings>, trx: Db = db): Promise<StoredSettings | null> {
      const set = trx.updateTable('deliverySettings').set(toRow(changed))
      const row = await set.where('userId', '=', userId).returning(columns).executeTakeFirst()
      return row ? fromRow(row) : null
    },

    /** Changes existing settings, or creates them from `defaults` with the change. */
    async put(userId: string, defaults: ChosenSettings, changed: Partial<ChosenSettings>, trx: Db = db): Promise<void> {
      await trx
        .insertInto('deliverySettings')
        .values({ userId, ...toRow(defaults), ...toRow(changed) })
        .onConflict((oc) => oc.column('userId').doUpdateSet(toRow(changed)))
        .execute()
    },
  }
}
export type DeliveryStore = ReturnType<typeof createDeliveryStore>

type Row = Omit<StoredSettings, 'quietHours' | 'unknownTimeZone'> & { quietFrom: number | null; quietUntil: number | null }

const fromRow = ({ quietFrom, quietUntil, timeZone, ...row }: Row): StoredSettings => ({
  ...row,
  ...zoneOf(timeZone),
  quietHours: quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil },
})

/** A stored name may be outdated, or too new for this version of the time zone data. */
function zoneOf(stored: string): Pick<StoredSettings, 'timeZone' | 'unknownTimeZone'> {
  const timeZone = timeZoneOf(stored)
  return timeZone === null ? { timeZone: 'UTC', unknownTimeZone: stored } : { timeZone }
}

const toRow = ({ quietHours, ...rest }: Partial<ChosenSettings>) => ({
  ...rest,
  ...(quietHours !== undefined && { quietFrom: quietHours?.from ?? null, quietUntil: quietHours?.until ?? null }),
})
