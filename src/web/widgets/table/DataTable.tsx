import { useRef, useState } from 'react'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { formatCount } from '../../lib/format.ts'
import { CompactRows } from './CompactRows.tsx'
import type { DataColumn, NameColumn, RowsProps, TableSort } from './columns.ts'
import { TableTools } from './TableTools.tsx'
import { useColumns } from './use-columns.ts'
import { useTableRows } from './use-table-rows.ts'
import { WideTable } from './WideTable.tsx'

/** Room for a table. */
const roomy = '(width >= 48rem)'

export type DataTableProps<Row> = {
  /** Names the table, and keeps which columns a person chose. */
  caption: string
  /** What its rows are: `keywords`. */
  what: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  name: NameColumn<Row>
  columns: readonly DataColumn<Row>[]
  /** What the rows are sorted by; without it the table keeps that by itself, and begins with the order they come in. */
  sort?: TableSort | undefined
  onSort?: (sort: TableSort) => void
  /** The columns that the server sorts by, where it sends the rows in their order and not all at once. */
  sortedByServer?: readonly string[] | undefined
  /** Where the server sends the rows in parts. */
  more?: MoreRows | undefined
}

export type MoreRows = {
  /** How many rows there are; null where nobody knows. */
  total: number | null
  hasMore: boolean
  load: () => void
}

/** So many rows before the last loaded one, the next are asked for. */
const ahead = 40

/**
 * Rows of figures: a table whose header and first column stay in sight, below 768 px rows of two lines. Only rows near
 * those on screen are drawn. Rows, columns and `keyOf` have to be the same objects until they change.
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
  // With which rows on screen the next were asked for: other rows may be as many.
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
