import { type ReactNode, type Ref } from 'react'
import { changeId, columnName, type DataColumn, type Listing, type TableSort } from './columns.ts'

const usualFigures = 2

/** Two lines per row if there is no room for a table: the subject, and the most important figures. Renders all of a short list. */
export function FewCompactRows<Row>({ caption, rows, keyOf, name, columns, sort }: Listing<Row> & { sort?: TableSort | undefined }) {
  const figures = compactColumns(columns, sort)
  return (
    <ul aria-label={caption} className="text-sm">
      {rows.map((row) => (
        <CompactRow key={keyOf(row)} row={row} rowKey={keyOf(row)} name={name} figures={figures} />
      ))}
    </ul>
  )
}

type CompactRowProps<Row> = Pick<Listing<Row>, 'name'> & {
  ref?: Ref<HTMLLIElement>
  row: Row
  rowKey: string
  figures: readonly DataColumn<Row>[]
  /** Where it is in a list of which only a part is rendered. */
  place?: Record<'data-index' | 'aria-posinset' | 'aria-setsize', number>
}

/** One of these rows. */
export function CompactRow<Row>({ ref, row, rowKey, name, figures, place }: CompactRowProps<Row>): ReactNode {
  return (
    <li ref={ref} data-key={rowKey} data-compact className="border-b border-line py-2.5 last:border-0" {...place}>
      {(name.compact ?? name.cell)(row)}
      <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs tabular-nums">
        {figures.map((column) => (
          <div key={column.id} className="flex items-baseline gap-x-1.5">
            <dt className="text-muted">{columnName(column)}</dt>
            <dd>{column.cell(row)}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

/** The most important columns, and the one that rows are sorted by. */
export function compactColumns<Row>(columns: readonly DataColumn<Row>[], sort: TableSort | undefined): readonly DataColumn<Row>[] {
  const chosen = columns.filter(({ isCompact }) => isCompact)
  const usual = new Set(chosen.length === 0 ? columns.slice(0, usualFigures) : chosen)
  return columns.filter((column) => usual.has(column) || sort?.by === column.id || sort?.by === changeId(column.id))
}
