import { useRef, useState } from 'react'
import { counted } from '../../../core/words.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import type { MoreRows } from '../../lib/hooks/whole-list.ts'
import type { Listing, RowsProps, TableSort } from './columns.ts'
import { CompactRows } from './CompactRows.tsx'
import { FewCompactRows } from './FewCompactRows.tsx'
import { TableTools, useColumns } from './TableTools.tsx'
import { useCopiedRows } from './use-copied-rows.ts'
import { useTableRows } from './use-table-rows.ts'
import { WideTable } from './WideTable.tsx'

/** Matches if there is room for a table. */
const roomy = '(width >= 48rem)'

type DataTableProps<Row> = Listing<Row> & {
  /** What its rows are called: `keyword`, `keywords`. The caption is also the key for the person's selected columns. */
  what: readonly [one: string, many: string]
  /** The sort order; without it the table manages its own, starting with the rows' order. */
  sort?: TableSort | undefined
  onSort?: (sort: TableSort) => void
  /** The columns sorted by the server, if it sends sorted rows and not all at once. */
  sortedByServer?: readonly string[] | undefined
  /** If the server sends the rows in parts. */
  more?: MoreRows<Row> | undefined
  /** Shows only this many of a list that arrives at once, until somebody asks for all. */
  atFirst?: number
}

/** Requests the next rows this many before the last loaded one. */
const ahead = 40

/**
 * Rows of figures: a table whose header and first column stay visible, or rows of two lines below 768 px. Only renders rows near those on
 * screen. Rows, columns and `keyOf` have to keep their identity until they change.
 */
export function DataTable<Row>({ what, more, sortedByServer, atFirst, ...props }: DataTableProps<Row>) {
  const { caption, rows, keyOf, name, columns } = props
  const isTable = useMedia(roomy)
  const [own, setOwn] = useState<TableSort>()
  const { sort = own, onSort = setOwn } = props
  const [isOpen, setOpen] = useState(false)
  const chosen = useColumns(caption, columns)
  const { sorted, visible, csvOf } = useTableRows({
    rows,
    keyOf,
    name,
    columns,
    shown: chosen.shown,
    sort,
    isSorted: sortedByServer?.includes(sort?.by ?? '') ?? false,
  })
  const copying = useCopiedRows({ rows: sorted, more, csvOf })
  // The rows for which the next ones were requested: others may be as many.
  const asked = useRef<readonly Row[]>(null)
  const total = more?.hasMore === true ? more.total : rows.length
  const isWhole = rows.length === total
  const isFew = atFirst !== undefined && !isOpen
  const drawn: RowsProps<Row> = {
    caption,
    rows: isFew ? sorted.slice(0, atFirst) : sorted,
    keyOf,
    name,
    columns: visible,
    total,
    onReach(index) {
      if (more?.hasMore !== true || index < rows.length - ahead || asked.current === rows) return
      asked.current = rows
      more.load()
    },
  }
  return (
    <div>
      <TableTools columns={columns} chosen={chosen} copying={copying} isTable={isTable}>
        {isWhole || total === null
          ? `${isWhole ? '' : 'First '}${counted(rows.length, ...what)}`
          : `${formatCount(rows.length)} of ${counted(total, ...what)}`}
      </TableTools>
      {isTable ? (
        <WideTable {...drawn} sort={sort} onSort={onSort} sortable={isWhole ? undefined : sortedByServer} />
      ) : more === undefined ? (
        <FewCompactRows {...drawn} sort={sort} />
      ) : (
        <CompactRows {...drawn} sort={sort} />
      )}
      {more?.failed === true && (
        <p role="alert" className="mt-3 text-sm text-muted">
          Unable to load more {what[1]}.{' '}
          <button type="button" className="font-medium text-brand hover:underline" onClick={more.load}>
            Try again
          </button>
        </p>
      )}
      {atFirst !== undefined && rows.length > atFirst && (
        <Button className="mt-4" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? `Show first ${formatCount(atFirst)}` : `Show all ${formatCount(rows.length)}`}
        </Button>
      )}
    </div>
  )
}
