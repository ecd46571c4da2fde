import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import type { DataColumn, Listing } from './columns.ts'

// What a table of any number of rows is made of. The widths are those of its box: see `narrow` in columns.ts.

const nameWidth = 240
const narrowNameWidth = 150

const widthOf = (wide: number, narrow: number): CSSProperties => ({ '--wide': `${wide}px`, '--narrow': `${narrow}px` }) as CSSProperties

/** The columns' widths; the first takes what they leave, but no less than it needs: then the table scrolls. */
export function Columns<Row>({ columns }: Pick<Listing<Row>, 'columns'>) {
  return (
    <colgroup>
      <col />
      {columns.map(({ id, width, narrow = width }) => (
        <col key={id} style={widthOf(width, narrow)} className="w-(--narrow) @[60rem]/table:w-(--wide)" />
      ))}
    </colgroup>
  )
}

/** A table with these columns, and its least width. */
export const tableLook = <Row,>(columns: readonly DataColumn<Row>[]) => ({
  style: widthOf(
    columns.reduce((sum, { width }) => sum + width, nameWidth),
    columns.reduce((sum, { width, narrow = width }) => sum + narrow, narrowNameWidth),
  ),
  className: 'w-full min-w-(--narrow) table-fixed border-separate border-spacing-0 text-sm tabular-nums @[60rem]/table:min-w-(--wide)',
})

const nameClass = 'sticky left-0 z-1 bg-surface py-2.5 pr-4 text-left font-normal group-hover:bg-sunken print:static'

const Cell = <Row,>({ column: { align, cell }, row }: { column: DataColumn<Row>; row: Row }) => (
  <td className={clsx('bg-surface py-2.5 pl-4 group-hover:bg-sunken', align === 'left' ? 'text-left' : 'text-right')}>{cell(row)}</td>
)

type RowCellsProps<Row> = Pick<Listing<Row>, 'name' | 'columns'> & { row: Row }

/** A row's name, which stays visible, and its figures. */
export function RowCells<Row>({ name, columns, row }: RowCellsProps<Row>) {
  return (
    <>
      <th scope="row" className={nameClass}>
        {name.cell(row)}
      </th>
      {columns.map((column) => (
        <Cell key={column.id} column={column} row={row} />
      ))}
    </>
  )
}
