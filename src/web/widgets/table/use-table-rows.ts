import {
  columnVisibilityFeature,
  createSortedRowModel,
  type ColumnDef,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { csvLine } from '../../../core/csv.ts'
import { type CellValue, changeId, type DataColumn, type NameColumn, nameId, nameOf, type TableSort } from './columns.ts'

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
export function useTableRows<Row>({ rows, keyOf, name, columns, shown, sort, isSorted }: TableRowsInput<Row>) {
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
    const copied = visible.filter(({ value }) => value !== undefined)
    const header = [name.label, ...copied.map(nameOf)]
    const lines = copiedRows.map((row) => [name.value(row), ...copied.map(({ value }) => value?.(row) ?? null)])
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
