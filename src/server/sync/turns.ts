import { setTimeout as sleepMs } from 'node:timers/promises'
import type { IsoDate } from '../../contract/common.ts'
import { addDays } from '../../core/analytics/days.ts'
import type { Owned } from './leases.ts'
import type { Chunk } from './sync-plan.ts'

/** What a chunk is to the people waiting: what they look at, what they may look at next, or history. */
export type Rank = 'on screen' | 'recent' | 'history'
const order: readonly Rank[] = ['on screen', 'recent', 'history']

/** Days that people look at first. */
const recentDays = 90

export const rankOf = (chunk: Chunk, today: IsoDate, selected: boolean): Rank =>
  chunk.to < addDays(today, -recentDays) ? 'history' : selected ? 'on screen' : 'recent'

/** Nobody waits longer than this for one chunk, however many newcomers there are. */
const longestWaitMs = 5_000
const lookAgainMs = 50

export type Turns = {
  /** Waits while another property of the same person, in this process, is at something more urgent; answers when it is this one's turn. */
  take(property: Owned, rank: Rank, signal?: AbortSignal): Promise<void>
  /** The property is not being synced any more. */
  leave(property: Owned): void
}

/**
 * Which of a person's properties goes first when several are backfilled at once: the days they are waiting to see. They
 * share the person's quota with Google; other people have their own, and nobody's history waits for somebody else.
 */
export function createTurns(): Turns {
  const active = new Map<number, { userId: string; rank: number }>()
  return {
    async take({ propertyId, userId }, rank, signal) {
      const mine = order.indexOf(rank)
      active.set(propertyId, { userId, rank: mine })
      const end = performance.now() + longestWaitMs
      const mustWait = () => [...active].some(([other, theirs]) => other !== propertyId && theirs.userId === userId && theirs.rank < mine)
      while (mustWait() && performance.now() < end) await sleepMs(lookAgainMs, undefined, signal ? { signal } : {})
    },
    leave: ({ propertyId }) => void active.delete(propertyId),
  }
}
