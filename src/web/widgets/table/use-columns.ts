import { useState } from 'react'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'
import type { DataColumn } from './columns.ts'

/** Which columns a person hid or added, by table, stored in this browser. */
export function useColumns<Row>(table: string, columns: readonly DataColumn<Row>[]) {
  const key = `columns of ${table}`
  const [chosen, setChosen] = useState(() => read(key))
  const shown = Object.fromEntries(columns.map(({ id, isExtra = false }) => [id, chosen[id] ?? !isExtra]))
  return {
    /** Whether each column is visible, by id. */
    shown,
    show(id: string, isShown: boolean) {
      const next = { ...chosen, [id]: isShown }
      writeStored(() => localStorage, key, JSON.stringify(next))
      setChosen(next)
    },
    reset() {
      removeStored(() => localStorage, key)
      setChosen({})
    },
    isChanged: columns.some(({ id, isExtra = false }) => shown[id] === isExtra),
  }
}

export type Columns = ReturnType<typeof useColumns>

/** Ignores anything else found there. */
function read(key: string): Record<string, boolean> {
  try {
    const stored: unknown = JSON.parse(readStored(() => localStorage, key) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'))
  } catch {
    return {}
  }
}
