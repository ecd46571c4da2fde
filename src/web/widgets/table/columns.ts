import type { ReactNode } from 'react'
import type { SortOrder } from '../../../contract/analytics.ts'

/** A cell's raw value, for sorting and copying. Null if there is none. */
export type CellValue = string | number | null

export type DataColumn<Row> = {
  id: string
  label: string
  /** For screen readers and the list of columns, if the label needs its neighbor: `Change in clicks`. */
  name?: string
  cell: (row: Row) => ReactNode
  /** Null rows come last in either order. Without it, the column can't be sorted or copied: a line, a button. */
  value?: (row: Row) => CellValue
  /** The figure's change, positive for better; makes it sortable by change. */
  change?: (row: Row) => number | null
  /** Text is left-aligned, figures (the default) are right-aligned. */
  align?: 'left' | 'right'
  /** In pixels; `narrow`: if the table's box is narrow, where figures are shown without their previous value. */
  width: number
  narrow?: number
  /** The initial sort order; by default largest first. */
  first?: SortOrder
  /** Whether to show it if there is only room for two lines, as is the column that rows are sorted by. */
  isCompact?: boolean
  /** Hidden until selected. */
  isExtra?: boolean
}

/** A row's subject: the first column, which stays visible. */
export type NameColumn<Row> = {
  label: string
  cell: (row: Row) => ReactNode
  /** If there is only room for one line. */
  compact?: (row: Row) => ReactNode
  value: (row: Row) => string
  /** Copied instead of `value`, if that shortens the subject, or is only part of it. */
  copied?: readonly { label: string; value: (row: Row) => CellValue }[] | undefined
  /** Whether rows can be sorted by it; true by default. */
  canSort?: boolean
}

/** A list to show, whatever its layout. */
export type Listing<Row> = {
  /** Labels the table. */
  caption: string
  keyOf: (row: Row) => string
  name: NameColumn<Row>
  rows: readonly Row[]
  columns: readonly DataColumn<Row>[]
}

/** The input of both layouts of a long list. */
export type RowsProps<Row> = Listing<Row> & {
  /** Including those not loaded yet; null if unknown. */
  total: number | null
  /** Called with the last rendered row among the loaded ones. */
  onReach: (index: number) => void
}

export type TableSort = { by: string; order: SortOrder }

/** The id of the first column, and of sorting by another column's change. */
export const nameId = 'name'
export const changeId = (id: string): string => `${id}Change`

export const columnName = ({ name, label }: Pick<DataColumn<never>, 'name' | 'label'>): string => name ?? label

/** The effect of pressing a column: sorts by it in its initial order, or reverses the order. */
export function nextSort(sort: TableSort | undefined, by: string, first: SortOrder): TableSort {
  if (sort?.by !== by) return { by, order: first }
  return { by, order: sort.order === 'asc' ? 'desc' : 'asc' }
}
