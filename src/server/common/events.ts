import type { IsoDate } from '../../contract/common.ts'
import type { PlanId } from '../../contract/user.ts'
import type { Db } from '../database/open.ts'

/** What capabilities tell each other. */
export type Events = {
  /** New complete days of a property are stored; both days included. */
  daysCompleted: { propertyId: number; from: IsoDate; through: IsoDate }
  /**
   * Other hours of a property are stored than before. `through`: when the last hour begins that Google is done counting
   * (an ISO instant); later ones are stored too, and may still grow noticeably. Told again if a listener failed.
   */
  hoursChanged: { propertyId: number; through: string }
  /** A person's Google account was connected, or connected again. */
  googleConnected: { userId: string }
  /** A property is to be synced from now on. */
  propertyMonitored: { propertyId: number }
  /**
   * Alerts of a property were opened, ended by themselves, or woke from their snooze. They are stored with this
   * transaction; what is written with it is there if they are.
   */
  alertsChanged: {
    userId: string
    propertyId: number
    opened: readonly string[]
    recovered: readonly string[]
    woken: readonly string[]
    transaction: Db
  }
  /** The account has another email address from now on, or its address was confirmed. */
  addressChanged: { userId: string }
  /**
   * What gives others access to an account ends with this transaction, since somebody else may have set it up: keys, shared links
   * and destinations of alerts; schedules of reports are paused. With `all` schedules and Google's permission end as well.
   */
  grantsEnding: { userId: string; all: boolean; transaction: Db }
  /** Another plan is in force from now on. */
  planChanged: { userId: string; from: PlanId; to: PlanId }
  /**
   * An account is being deleted; its rows go with this transaction. Whatever has to be undone elsewhere
   * is put into the job queue with the same transaction, so that all of it happens or nothing.
   */
  accountDeleting: { userId: string; transaction: Db }
}

type Listener<T> = (event: T) => Promise<void>

export type EventBus = {
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): void
  emit<K extends keyof Events>(name: K, event: Events[K]): Promise<void>
}

/** In-process events: `emit` waits for every listener, and the first failure is the emitter's to handle. */
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
    accountDeleting: [],
  }
  return {
    on: (name, listener) => void listeners[name].push(listener),
    emit: async (name, event) => {
      for (const listener of listeners[name]) await listener(event)
    },
  }
}
