import { Check, Columns3, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { counted } from '../../../core/words.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { columnName, type DataColumn } from './columns.ts'
import type { useCopiedRows } from './use-copied-rows.ts'

type TableToolsProps<Row> = {
  /** Number of rows. */
  children: ReactNode
  columns: readonly DataColumn<Row>[]
  chosen: Columns
  copying: ReturnType<typeof useCopiedRows>
  /** Columns can only be selected for a table. */
  isTable: boolean
}

/** Above the rows: their number, the column selection, and everything for a spreadsheet. */
export function TableTools<Row>({ children, columns, chosen, copying: { state, copy, isOff }, isTable }: TableToolsProps<Row>) {
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p className="text-sm text-muted tabular-nums">{children}</p>
      <div className="-mr-2 ml-auto flex">
        {isTable && (
          <Popover
            label="Columns"
            title="Columns"
            triggerClass={buttonClass('quiet', 'px-2! text-muted!')}
            trigger={
              <>
                <Columns3 aria-hidden />
                Columns
              </>
            }
          >
            <div className="w-56">
              {columns.map((column) => (
                <Checkbox
                  key={column.id}
                  label={columnName(column)}
                  checked={chosen.shown[column.id] ?? true}
                  onChange={(event) => chosen.show(column.id, event.currentTarget.checked)}
                />
              ))}
              <Button variant="quiet" className="mt-1 -ml-2 px-2!" disabled={!chosen.isChanged} onClick={chosen.reset}>
                Reset columns
              </Button>
            </div>
          </Popover>
        )}
        <Button variant="quiet" className="px-2! text-muted!" disabled={isOff} onClick={() => void copy()}>
          {state.is === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
          <span aria-live="polite">{copyLabel(state)}</span>
        </Button>
      </div>
    </div>
  )
}

function copyLabel(state: ReturnType<typeof useCopiedRows>['state']): string {
  if (state.is === 'copying') return 'Copying...'
  return state.is === 'copied' ? `Copied ${counted(state.rows, 'row')}` : 'Copy as CSV'
}

/** Which columns a person hid or added, by table, stored in this browser. */
export function useColumns<Row>(table: string, columns: readonly DataColumn<Row>[]) {
  const key = `columns of ${table}`
  const [known, setKnown] = useState(() => ({ key, chosen: read(key) }))
  // The same table may turn into another, as when its tab lists something else.
  if (known.key !== key) setKnown({ key, chosen: read(key) })
  const { chosen } = known
  const setChosen = (next: Record<string, boolean>) => setKnown({ key, chosen: next })
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

type Columns = ReturnType<typeof useColumns>

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
