import { sql } from 'kysely'
import { holdPerson, type Requester } from '../../accounts/service.ts'
import type { ChannelName } from '../../../contract/delivery/channels.ts'
import type { HeldPlan } from '../../../contract/user.ts'
import { type Offer, planUnder } from '../../../core/billing/offer.ts'
import type { Db } from '../../database/open.ts'
import type { Vault } from '../../platform/secrets.ts'
import { sealContext, waitingContext } from '../destinations.ts'

/** What may be shown of a destination. `waiting` is decrypted, for the caller to decide whether it still counts. */
export type ShownChannel = {
  connected: boolean
  shown: string | null
  waiting: string | null
  waitingShown: string | null
  extra: string | null
  problem: string | null
  lastSentAt: Date | null
}

/** A channel's stored data, decrypted. */
export type HeldChannel = { destination: string | null; waiting: string | null; extra: string | null }

/** `destination` and `waiting` are encrypted before they reach the table. */
export type ChannelChange = Partial<
  Record<'destination' | 'shown' | 'waiting' | 'waitingShown' | 'extra' | 'problem', string | null> & { problemSince: Date | null }
>

/** One person's channel, locked against other changes. */
export type HeldInHand = { plan: HeldPlan; held: HeldChannel; set(change: ChannelChange): Promise<void>; trx: Db }

/** Destinations at rest: encrypted, bound to their person and channel. */
export function createChannelsStore(db: Db, vault: Vault, offer: Offer) {
  /** Anything encrypted with a lost key counts as missing: it can be entered again. */
  const opened = (sealed: string | null, context: string): string | null => (sealed === null ? null : vault.find(sealed, context))

  const sealed = (userId: string, channel: ChannelName, { destination, waiting, ...rest }: ChannelChange) => ({
    ...rest,
    ...(destination !== undefined && { destination: destination && vault.seal(destination, sealContext(userId, channel)) }),
    ...(waiting !== undefined && { waiting: waiting && vault.seal(waiting, waitingContext(userId, channel)) }),
  })

  async function load(userId: string, channel: ChannelName, trx: Db = db): Promise<HeldChannel> {
    const row = await trx
      .selectFrom('deliveryChannels')
      .where('userId', '=', userId)
      .where('channel', '=', channel)
      .select(['destination', 'waiting', 'extra'])
      .executeTakeFirst()
    return {
      destination: opened(row?.destination ?? null, sealContext(userId, channel)),
      waiting: opened(row?.waiting ?? null, waitingContext(userId, channel)),
      extra: row?.extra ?? null,
    }
  }

  return {
    load,

    async list(userId: string): Promise<Partial<Record<ChannelName, ShownChannel>>> {
      const rows = await db
        .selectFrom('deliveryChannels')
        .where('userId', '=', userId)
        .select(['channel', 'shown', 'waiting', 'waitingShown', 'extra', 'problem', 'lastSentAt'])
        .select(sql<boolean>`destination IS NOT NULL`.as('connected'))
        .execute()
      return Object.fromEntries(
        rows.map(({ channel, waiting, ...row }) => [channel, { ...row, waiting: opened(waiting, waitingContext(userId, channel)) }]),
      )
    },

    /** Changes a person's channel with their row locked: changes run one after another. */
    async change<T>(person: Requester, channel: ChannelName, work: (inHand: HeldInHand) => Promise<T>): Promise<T> {
      return db.transaction().execute(async (trx) => {
        const { plan } = await holdPerson(trx, person)
        const userId = person.id
        const set = async (change: ChannelChange): Promise<void> => {
          const row = sealed(userId, channel, change)
          await trx
            .insertInto('deliveryChannels')
            .values({ userId, channel, ...row })
            .onConflict((oc) => oc.columns(['userId', 'channel']).doUpdateSet(row))
            .execute()
        }
        return work({ plan: planUnder(offer, plan), held: await load(userId, channel, trx), set, trx })
      })
    },

    /** Alerts not emailed yet. */
    async alertsWaitingForMail(userId: string): Promise<number> {
      const { alerts } = await db
        .selectFrom('deliveryNews')
        .where('userId', '=', userId)
        .where('channel', '=', 'email')
        .where('state', '=', 'waiting')
        .select(sql<number>`count(DISTINCT alert_id)::integer`.as('alerts'))
        .executeTakeFirstOrThrow()
      return alerts
    },

    /** The account's address was changed or confirmed: earlier problems with it are void. */
    async accountAddressChanged(userId: string): Promise<void> {
      await db
        .updateTable('deliveryChannels')
        .set({ problem: null, problemSince: null })
        .where('userId', '=', userId)
        .where('channel', '=', 'email')
        .where('destination', 'is', null)
        .execute()
    },
  }
}
export type ChannelsStore = ReturnType<typeof createChannelsStore>
