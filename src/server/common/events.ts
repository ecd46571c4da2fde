import type { IsoDate } from '../../contract/common.ts'
import type { PlanId } from '../../contract/user.ts'
import type { Announcement } from '../../core/delivery/routing.ts'
import type { Db } from '../database/open.ts'

/** What capabilities tell each other. */
export type Events = {
  /** New complete days of a property are stored; both days included. */
  daysCompleted: { propertyId: number; from: IsoDate; through: IsoDate }
  /**
   * The stored hours of a property have changed. `through`: the start of the last hour that Google has finished counting (an ISO instant);
   * later ones are stored too, and may still grow noticeably. Emitted again if a listener failed.
   */
  hoursChanged: { propertyId: number; through: string }
  /** A user's Google account was connected, or reconnected. */
  googleConnected: { userId: string }
  /** A property is to be synced from now on. */
  propertyMonitored: { propertyId: number }
  /**
   * A property's alerts were opened, ended by themselves, woke from their snooze, or got worse. They are stored in this transaction; what
   * listeners write in it is stored only along with them.
   */
  alertsChanged: {
    userId: string
    propertyId: number
    opened: readonly AnnouncedAlert[]
    recovered: readonly AnnouncedAlert[]
    woken: readonly AnnouncedAlert[]
    worsened: readonly AnnouncedAlert[]
    transaction: Db
  }
  /** The account has a new email address, or its address was confirmed. */
  addressChanged: { userId: string }
  /**
   * This transaction ends everything that gives others access to an account, since somebody else may have set it up: keys, shared links and
   * destinations of alerts; report schedules are paused. With `all`, schedules and Google's permission end as well.
   */
  grantsEnding: { userId: string; all: boolean; transaction: Db }
  /** Another plan is in effect from now on. */
  planChanged: { userId: string; from: PlanId; to: PlanId }
  /** A segment is to be deleted in this transaction, with its row locked. Listeners add what uses it, in words; then it is kept. */
  segmentLeaving: { segmentId: number; transaction: Db; usedBy: string[] }
  /**
   * This transaction closes an account for good; its rows are erased after it. Anything to be undone elsewhere is queued as a job in it, so
   * that all of it happens or nothing.
   */
  accountDeleting: { userId: string; transaction: Db }
}

/** An alert, and what decides who is notified of it, and when. */
export type AnnouncedAlert = Omit<Announcement, 'event' | 'isMuchLarger'> & {
  alertId: string
  /** Its present change, and the one it was opened with; null if there is none. */
  change?: number | null
  openedWith?: number | null
  /** The latter, once its window is full of it. */
  wholeStep?: number | null
  /** Of one that got worse: whether it is more urgent than before, not just larger. */
  isMoreUrgent?: boolean
  /** If only hours show the change so far: of which day, in words. */
  soFar?: string
}

type Listener<T> = (event: T) => Promise<void>

export type EventBus = {
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): void
  emit<K extends keyof Events>(name: K, event: Events[K]): Promise<void>
}

/** In-process events: `emit` waits for every listener, and the emitter handles the first failure. */
export function createEventBus(): EventBus {
  const listeners: { [K in keyof Events]: Listener<Events[K]>[] } = {
    daysCompleted: [],
    hoursChanged: [],
    googleConnected: [],
    propertyMonitored: [],
    alertsChanged: [],
    addressChanged: [],
    grantsEnding: [],
    planChanged: [],
    segmentLeaving: [],
    accountDeleting: [],
  }
  return {
    on: (name, listener) => void listeners[name].push(listener),
    emit: async (name, event) => {
      for (const listener of listeners[name]) await listener(event)
    },
  }
}
