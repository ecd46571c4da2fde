import { setTimeout as sleepMs } from 'node:timers/promises'
import type { IsoDate } from '../../contract/common.ts'
import { addDays } from '../../core/analytics/days.ts'
import type { Chunk } from './sync-plan.ts'
import type { Owned } from './property-queue.ts'

/** A chunk's importance to the people waiting: what they look at, what they may look at next, or history. */
export type Rank = 'on screen' | 'recent' | 'history'
const order: readonly Rank[] = ['on screen', 'recent', 'history']

/** Days that people look at first. */
const recentDays = 90

export const rankOf = (chunk: Chunk, today: IsoDate, selected: boolean): Rank =>
  chunk.to < addDays(today, -recentDays) ? 'history' : selected ? 'on screen' : 'recent'

/** Nobody waits longer for one chunk, however many newcomers there are. */
const longestWaitMs = 5_000
const lookAgainMs = 50

export type Priorities = {
  /**
   * Waits while another property of the same person in this process works on something more urgent; resolves when it is this one's turn.
   */
  take(property: Owned, rank: Rank, signal?: AbortSignal): Promise<void>
  /** The property is no longer being synced. */
  leave(property: Owned): void
}

/**
 * Decides which of a person's properties goes first when several are backfilled at once: the days they wait to see. They share the person's
 * Google quota; other people have their own, and nobody's history waits for somebody else.
 */
export function createPriorities(): Priorities {
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
