import { useRef, useState } from 'react'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { formatCount } from '../../lib/format.ts'
import { CompactRows } from './CompactRows.tsx'
import type { DataColumn, NameColumn, RowsProps, TableSort } from './columns.ts'
import { TableTools } from './TableTools.tsx'
import { useColumns } from './use-columns.ts'
import { useTableRows } from './use-table-rows.ts'
import { WideTable } from './WideTable.tsx'

/** Matches if there is room for a table. */
const roomy = '(width >= 48rem)'

export type DataTableProps<Row> = {
  /** Labels the table, and is the key for the person's selected columns. */
  caption: string
  /** The kind of its rows: `keywords`. */
  what: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  name: NameColumn<Row>
  columns: readonly DataColumn<Row>[]
  /** The sort order; without it the table manages its own, starting with the rows' order. */
  sort?: TableSort | undefined
  onSort?: (sort: TableSort) => void
  /** The columns sorted by the server, if it sends sorted rows and not all at once. */
  sortedByServer?: readonly string[] | undefined
  /** If the server sends the rows in parts. */
  more?: MoreRows | undefined
}

export type MoreRows = {
  /** Total number of rows; null if unknown. */
  total: number | null
  hasMore: boolean
  load: () => void
}

/** Requests the next rows this many before the last loaded one. */
const ahead = 40

/**
 * Rows of figures: a table whose header and first column stay visible, or rows of two lines below 768 px. Only renders rows near those on
 * screen. Rows, columns and `keyOf` have to keep their identity until they change.
 */
export function DataTable<Row>({ caption, what, rows, keyOf, name, columns, more, sortedByServer, ...given }: DataTableProps<Row>) {
  const isTable = useMedia(roomy)
  const [own, setOwn] = useState<TableSort>()
  const { sort = own, onSort = setOwn } = given
  const chosen = useColumns(caption, columns)
  const { sorted, visible, csv } = useTableRows({
    rows,
    keyOf,
    name,
    columns,
    shown: chosen.shown,
    sort,
    isSorted: sortedByServer?.includes(sort?.by ?? '') ?? false,
  })
  // The rows for which the next ones were requested: others may be as many.
  const asked = useRef<readonly Row[]>(null)
  const total = more?.hasMore === true ? more.total : rows.length
  const isWhole = rows.length === total
  const drawn: RowsProps<Row> = {
    caption,
    rows: sorted,
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
      <TableTools columns={columns} chosen={chosen} csv={csv} isTable={isTable}>
        {isWhole || total === null
          ? `${isWhole ? '' : 'First '}${formatCount(rows.length)}`
          : `${formatCount(rows.length)} of ${formatCount(total)}`}{' '}
        {what}
      </TableTools>
      {isTable ? (
        <WideTable {...drawn} sort={sort} onSort={onSort} sortable={isWhole ? undefined : sortedByServer} />
      ) : (
        <CompactRows {...drawn} />
      )}
    </div>
  )
}
