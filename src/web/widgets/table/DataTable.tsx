import {
  columnVisibilityFeature,
  createSortedRowModel,
  type ColumnDef,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { csvLine } from '../../../core/csv.ts'
import { counted } from '../../../core/words.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import type { MoreRows } from '../../lib/hooks/paged-list.ts'
import {
  type CellValue,
  changeId,
  columnName,
  type DataColumn,
  type Listing,
  type NameColumn,
  nameId,
  type RowsProps,
  type TableSort,
} from './columns.ts'
import { compactColumns, CompactRow, FewCompactRows } from './FewCompactRows.tsx'
import { TableTools, useColumns } from './TableTools.tsx'
import { useCopiedRows } from './use-copied-rows.ts'
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
  const { sort: chosenSort = own, onSort = setOwn } = props
  const total = more?.hasMore === true ? more.total : rows.length
  const isWhole = rows.length === total
  // Of a part, only the server knows which rows come first.
  const sort = isWhole || chosenSort === undefined || (sortedByServer?.includes(chosenSort.by) ?? true) ? chosenSort : undefined
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
  const isFew = atFirst !== undefined && !isOpen
  const drawn: RowsProps<Row> = {
    caption,
    rows: isFew ? sorted.slice(0, atFirst) : sorted,
    keyOf,
    name,
    columns: visible,
    total,
    onReach(index) {
      if (more?.hasMore !== true || more.isOutdated || index < rows.length - ahead || asked.current === rows) return
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

const rowHeight = 64

type CompactRowsProps<Row> = RowsProps<Row> & { sort: TableSort | undefined }

/** A long list if there is no room for a table: only renders the rows near those on screen. */
function CompactRows<Row>({ caption, rows, keyOf, name, columns, total, onReach, sort }: CompactRowsProps<Row>) {
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
  const figures = compactColumns(columns, sort)
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
        return (
          row !== undefined && (
            <CompactRow
              key={item.key}
              ref={virtual.measureElement}
              row={row}
              rowKey={keyOf(row)}
              name={name}
              figures={figures}
              place={{ 'data-index': item.index, 'aria-posinset': item.index + 1, 'aria-setsize': total ?? -1 }}
            />
          )
        )
      })}
    </ul>
  )
}

const features = tableFeatures({ columnVisibilityFeature, rowSortingFeature, sortedRowModel: createSortedRowModel() })

/** The library only accepts objects, and has its own row type. */
type Held<Row> = { row: Row }

type TableRowsInput<Row> = {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  name: NameColumn<Row>
  columns: readonly DataColumn<Row>[]
  /** Whether each column is visible, by id. */
  shown: Readonly<Record<string, boolean>>
  sort: TableSort | undefined
  /** The rows arrive sorted. */
  isSorted: boolean
}

/** The sorted rows, the visible columns, and these columns of any rows as CSV. */
function useTableRows<Row>({ rows, keyOf, name, columns, shown, sort, isSorted }: TableRowsInput<Row>) {
  const definitions = useMemo(() => definitionsOf(name, columns), [name, columns])
  const data = useMemo(() => rows.map((row) => ({ row })), [rows])
  const table = useTable({
    features,
    data,
    columns: definitions,
    getRowId: ({ row }) => keyOf(row),
    manualSorting: isSorted,
    state: {
      columnVisibility: { ...shown },
      sorting: sort === undefined ? [] : [{ id: sort.by, desc: sort.order === 'desc' }],
    },
  })
  const model = table.getRowModel()
  const sorted = useMemo(() => model.rows.map(({ original }) => original.row), [model])
  const visible = columns.filter(({ id }) => table.getColumn(id)?.getIsVisible() ?? true)

  function csvOf(copiedRows: readonly Row[]): string {
    const copied = [...(name.copied ?? [name]), ...visible.filter(({ value }) => value !== undefined)]
    const header = copied.map(columnName)
    const lines = copiedRows.map((row) => copied.map(({ value }) => value?.(row) ?? null))
    return [header, ...lines].map(csvLine).join('')
  }
  return { sorted, visible, csvOf }
}

/** Includes sort keys that aren't columns of their own. */
function definitionsOf<Row>(name: NameColumn<Row>, columns: readonly DataColumn<Row>[]): ColumnDef<typeof features, Held<Row>>[] {
  const by = (id: string, value: (row: Row) => CellValue): ColumnDef<typeof features, Held<Row>> => ({
    id,
    accessorFn: ({ row }) => value(row) ?? undefined,
    sortUndefined: 'last',
    sortFn: (a, b) => compare(value(a.original.row), value(b.original.row)),
  })
  return [
    by(nameId, name.value),
    ...columns.map(({ id, value }) => by(id, value ?? (() => null))),
    ...columns.flatMap(({ id, change }) => (change === undefined ? [] : [by(changeId(id), change)])),
  ]
}

function compare(a: CellValue, b: CellValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a ?? ''), String(b ?? ''))
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
