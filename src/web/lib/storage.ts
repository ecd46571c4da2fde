import { useSyncExternalStore } from 'react'

// Storage can be forbidden or full. Nothing kept there is essential, so both count as "nothing kept".

export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

export function writeStored(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value)
  } catch {
    // See above.
  }
}

export function removeStored(storage: () => Storage, key: string): void {
  try {
    storage().removeItem(key)
  } catch {
    // See above.
  }
}

/** A choice that a person made for this browser; every screen shows it at once, in other windows too. */
type StoredChoice<T extends string> = {
  read: () => T
  save: (choice: T) => void
  /** Calls back after each change, wherever it was made; returns how to unsubscribe. */
  subscribe: (listener: () => void) => () => void
}

/** The first of `choices` is the default. */
export function storedChoice<T extends string>(key: string, choices: readonly [T, ...T[]]): StoredChoice<T> {
  const listeners = new Set<() => void>()
  const stored = () => readStored(() => localStorage, key)
  /** A value that storage rejected, valid while the page is open. */
  let unstored: T | null = null
  return {
    read() {
      if (unstored !== null) return unstored
      const found = stored()
      return choices.find((choice) => choice === found) ?? choices[0]
    },
    save(choice) {
      writeStored(() => localStorage, key, choice)
      unstored = stored() === choice ? null : choice
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      // Only other windows' choices arrive this way; `key` is null if everything was cleared there.
      const onStorage = (event: StorageEvent): void => {
        if (event.key === key || event.key === null) listener()
      }
      listeners.add(listener)
      window.addEventListener('storage', onStorage)
      return () => {
        listeners.delete(listener)
        window.removeEventListener('storage', onStorage)
      }
    },
  }
}

export const useStoredChoice = <T extends string>({ subscribe, read }: StoredChoice<T>): T => useSyncExternalStore(subscribe, read)
