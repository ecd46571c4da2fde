import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { Db } from '../database/open.ts'
import type { Vault } from '../platform/secrets.ts'

/** Binds encrypted data to its use (platform/secrets.ts). */
export const sealContext = (userId: string, channel: ChannelName): string => `delivery:${channel}:${userId}`
/** Same for a destination waiting for confirmation. */
export const waitingContext = (userId: string, channel: ChannelName): string => `${sealContext(userId, channel)}:waiting`

/** `destination` is the whole address, number or webhook, never to be shown; `shown` may be. */
export type Destination = {
  destination: string
  shown: string
  extra: string | null
  /** The stored value, to recognize it later; null for the account's own address. */
  sealed: string | null
}
/** Nothing is sent if there is a problem, nor to an unconfirmed address; null: no destination yet. */
export type Place =
  | { kind: 'open'; place: Destination }
  | { kind: 'closed'; problem: string }
  | { kind: 'unconfirmed'; address: string }
  | null

/** Why an address gets no email yet. */
export const unconfirmedText = (address: string): string =>
  `${address} isn't confirmed yet. Open the link in the email we sent there. Alert emails are held until then.`

export type Destinations = {
  /** Where a person's messages on a channel go; `evenClosed` to try whether it accepts any again. */
  of(userId: string, channel: ChannelName, trx?: Db, options?: { evenClosed?: boolean }): Promise<Place>
  /**
   * Nothing will be accepted there anymore: `problem` tells the person why and what to do. If they have entered another destination
   * meanwhile, that one stays open.
   */
  close(userId: string, channel: ChannelName, place: Pick<Destination, 'sealed'>, problem: string, now: Date, trx: Db): Promise<void>
  /** Something was accepted there, so any problem is over. */
  reached(userId: string, channel: ChannelName, now: Date, trx: Db): Promise<void>
}

/** Where messages go, encrypted in `delivery_channels`; emails go to the account's own address once confirmed, unless another one was. */
export function createDestinations(db: Db, vault: Vault): Destinations {
  return {
    async of(userId, channel, trx = db, { evenClosed = false } = {}) {
      const row = await trx
        .selectFrom('deliveryChannels')
        .where('userId', '=', userId)
        .where('channel', '=', channel)
        .select(['destination', 'shown', 'extra', 'problem'])
        .executeTakeFirst()
      if (row?.problem && !evenClosed) return { kind: 'closed', problem: row.problem }
      if (row?.destination) {
        const destination = vault.find(row.destination, sealContext(userId, channel))
        if (destination === null)
          return { kind: 'closed', problem: 'It was encrypted with a different secret key and can no longer be read. Enter it again.' }
        return { kind: 'open', place: { destination, shown: row.shown ?? channel, extra: row.extra, sealed: row.destination } }
      }
      if (channel !== 'email') return null
      const account = await trx.selectFrom('users').where('id', '=', userId).select(['email', 'emailVerified']).executeTakeFirst()
      if (!account) return null
      const { email, emailVerified } = account
      if (!emailVerified) return { kind: 'unconfirmed', address: email }
      return { kind: 'open', place: { destination: email, shown: email, extra: null, sealed: null } }
    },
    async close(userId, channel, { sealed }, problem, now, trx) {
      const change = { problem, problemSince: now }
      await trx
        .insertInto('deliveryChannels')
        .values({ userId, channel, ...change })
        .onConflict((oc) =>
          oc.columns(['userId', 'channel']).doUpdateSet(change).where('deliveryChannels.destination', 'is not distinct from', sealed),
        )
        .execute()
    },
    async reached(userId, channel, now, trx) {
      const change = { lastSentAt: now, problem: null, problemSince: null }
      await trx
        .insertInto('deliveryChannels')
        .values({ userId, channel, ...change })
        .onConflict((oc) => oc.columns(['userId', 'channel']).doUpdateSet(change))
        .execute()
    },
  }
}
