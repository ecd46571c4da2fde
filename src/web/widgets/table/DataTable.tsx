import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { formatCount } from '../../lib/format.ts'
import { type DataColumn, type NameColumn, nameOf, type RowsProps, type TableSort } from './columns.ts'
import { TableTools, useColumns } from './TableTools.tsx'
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

const rowHeight = 64
const mostFigures = 3

/** Two lines per row if there is no room for a table: the subject, and the most important figures. */
function CompactRows<Row>({ caption, rows, keyOf, name, columns, total, onReach }: RowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (list.current !== null) setTop(list.current.getBoundingClientRect().top + window.scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => (rows[index] === undefined ? index : keyOf(rows[index])),
    overscan: 8,
    scrollMargin: top,
  })
  const items = virtual.getVirtualItems()
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => onReach(last), [last, onReach])
  const compact = columns.filter(({ isCompact }) => isCompact)
  const figures = compact.length === 0 ? columns.slice(0, mostFigures) : compact
  return (
    <ul
      ref={list}
      aria-label={caption}
      className="text-sm"
      style={{
        paddingTop: (items[0]?.start ?? top) - top,
        paddingBottom: virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top),
      }}
    >
      {items.map((item) => {
        const row = rows[item.index]
        if (row === undefined) return null
        return (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            data-key={keyOf(row)}
            data-compact
            aria-posinset={item.index + 1}
            aria-setsize={total ?? -1}
            className="border-b border-line py-2.5"
          >
            {name.cell(row)}
            <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs tabular-nums">
              {figures.map((column) => (
                <div key={column.id} className="flex items-baseline gap-x-1.5">
                  <dt className="text-muted">{nameOf(column)}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
