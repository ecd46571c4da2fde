import type { ChannelName } from '../../../contract/delivery/channels.ts'
import { recordEvent } from '../../audit/record.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ChannelsStore, HeldInHand } from './store.ts'
import type { DeliveryService } from '../service.ts'

export type ConnectedChannel = Exclude<ChannelName, 'email'>
type Place = { destination: string; shown: string; extra?: string | null }

export type ConnectingDeps = {
  store: ChannelsStore
  delivery: Pick<DeliveryService, 'switchOn' | 'switchOff'>
  clock: Clock
  /** Somebody's destination changed: reschedule their waiting messages. */
  onChanged: (userId: string) => Promise<void>
}

/** What connecting a destination or removing it entails. */
export function createConnecting({ store, delivery, clock, onChanged }: ConnectingDeps) {
  return {
    /** Messages go there from now on: clears earlier problems, and the first destination switches the channel on. */
    async connect(userId: string, channel: ConnectedChannel, { plan, held, set, trx }: HeldInHand, place: Place): Promise<void> {
      await set({ ...place, waiting: null, waitingShown: null, problem: null, problemSince: null })
      if (held.destination === null) await delivery.switchOn({ id: userId, plan }, channel, trx)
      await recordEvent(trx, userId, { kind: 'destination-set', details: { channel, to: place.shown } }, clock.now())
    },

    /** Forgets the destination and any pending one, and switches the channel off. Keeps when it was last used. */
    async disconnect(userId: string, channel: ConnectedChannel): Promise<void> {
      const nothing = { destination: null, shown: null, extra: null, waiting: null, waitingShown: null, problem: null, problemSince: null }
      await store.change({ id: userId }, channel, async ({ held, set, trx }) => {
        await set(nothing)
        await delivery.switchOff(userId, channel, trx)
        if (held.destination !== null) await recordEvent(trx, userId, { kind: 'destination-removed', details: { channel } }, clock.now())
      })
      await onChanged(userId)
    },

    changed: onChanged,
  }
}
export type Connecting = ReturnType<typeof createConnecting>
