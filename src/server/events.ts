import type { IsoDate } from '../contract/common.ts'

/** What capabilities tell each other. */
export type Events = {
  /** New complete days of a property are stored; both days included. */
  daysCompleted: { propertyId: number; from: IsoDate; through: IsoDate }
  /** A person's Google account was connected, or connected again. */
  googleConnected: { userId: string }
  /** A property is to be synced from now on. */
  propertyMonitored: { propertyId: number }
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
    googleConnected: [],
    propertyMonitored: [],
  }
  return {
    on: (name, listener) => void listeners[name].push(listener),
    emit: async (name, event) => {
      for (const listener of listeners[name]) await listener(event)
    },
  }
}
