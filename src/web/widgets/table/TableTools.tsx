import { Check, Columns3, Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { useCopy } from '../../ui/CopyButton.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { type DataColumn, nameOf } from './columns.ts'
import type { Columns } from './use-columns.ts'

type TableToolsProps<Row> = {
  /** Number of rows. */
  children: ReactNode
  columns: readonly DataColumn<Row>[]
  chosen: Columns
  csv: () => string
  /** Columns can only be selected for a table. */
  isTable: boolean
}

/** Above the rows: their number, the column selection, and everything for a spreadsheet. */
export function TableTools<Row>({ children, columns, chosen, csv, isTable }: TableToolsProps<Row>) {
  const { copied, copy } = useCopy(csv)
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
                  label={nameOf(column)}
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
        <Button variant="quiet" className="px-2! text-muted!" onClick={() => void copy()}>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          <span aria-live="polite">{copied ? 'Copied' : 'Copy as CSV'}</span>
        </Button>
      </div>
    </div>
  )
}
