import type { ReactNode } from 'react'
import type { SortOrder } from '../../../contract/analytics.ts'

/** What a cell stands for, unformatted: what rows are sorted by and what is copied. Null where there is none. */
export type CellValue = string | number | null

export type DataColumn<Row> = {
  id: string
  label: string
  /** For screen readers and the list of columns, where the label needs its neighbor: `Change in clicks`. */
  name?: string
  cell: (row: Row) => ReactNode
  /** Null rows come last in either order. Without it, the column can neither be sorted nor copied: a line, a button. */
  value?: (row: Row) => CellValue
  /** How much the figure changed, positive where it got better; adds sorting by it. */
  change?: (row: Row) => number | null
  /** Text stands at the left, figures (the default) at the right. */
  align?: 'left' | 'right'
  /** In pixels. */
  width: number
  /** What people want to see first; the largest by default. */
  first?: SortOrder
  /** Whether it is shown where there is only room for two lines: up to three columns are. */
  isCompact?: boolean
  /** Hidden until it is chosen. */
  isExtra?: boolean
}

/** What a row is about: the first column, which stays in sight. */
export type NameColumn<Row> = {
  label: string
  cell: (row: Row) => ReactNode
  value: (row: Row) => string
  /** For sorting by it; false where the rows cannot be. */
  canSort?: boolean
}

/** What both looks of a table draw. */
export type RowsProps<Row> = {
  /** Names the table. */
  caption: string
  keyOf: (row: Row) => string
  name: NameColumn<Row>
  rows: readonly Row[]
  columns: readonly DataColumn<Row>[]
  /** With those that are not loaded yet; null where nobody knows. */
  total: number | null
  /** The last row that is drawn, of those that are loaded. */
  onReach: (index: number) => void
}

export type TableSort = { by: string; order: SortOrder }

/** The id of the first column, and of sorting by how much another changed. */
export const nameId = 'name'
export const changeId = (id: string): string => `${id}Change`

export const nameOf = ({ name, label }: Pick<DataColumn<never>, 'name' | 'label'>): string => name ?? label

/** What a press on a column does: sorts by it, what people want to see first at the top, or turns the order around. */
export function nextSort(sort: TableSort | undefined, by: string, first: SortOrder): TableSort {
  if (sort?.by !== by) return { by, order: first }
  return { by, order: sort.order === 'asc' ? 'desc' : 'asc' }
}
