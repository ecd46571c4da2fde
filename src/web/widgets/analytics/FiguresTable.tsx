import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SortOrder } from '../../../contract/analytics.ts'
import { useDrawnRows } from '../../lib/hooks/use-drawn-rows.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'

/** Room for the name and five columns beside the sidebar. */
const usuallyWide = '(width >= 64rem)'

export type FiguresColumn<Row> = {
  /** Also the sort key, if `sort` is given. */
  id: string
  label: string
  cell: (row: Row) => ReactNode
  /** Text is left-aligned, figures are right-aligned. */
  align?: 'left' | 'right'
  /** The column's, as a class: `w-28`. */
  width: string
}

type Sorting = {
  by: string
  order: SortOrder
  /** Sortable columns. */ columns: readonly string[]
  onSort: (by: string) => void
}

type FiguresTableProps<Row> = {
  caption: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** A row's subject, which names it; takes the remaining room. */
  name: { label: string; cell: (row: Row) => ReactNode }
  columns: readonly FiguresColumn<Row>[]
  sort?: Sorting
  /** A media query that matches if there is room for the columns. */
  wide?: string
}

/** More rows than any screen can show. */
const firstRows = 16

/** Rows of figures: a table if there is room, otherwise a list of cards. */
export function FiguresTable<Row>({ wide = usuallyWide, rows, ...props }: FiguresTableProps<Row>) {
  const { drawn, isWhole } = useDrawnRows(rows, firstRows)
  return useMedia(wide) ? <WideTable rows={drawn} isWhole={isWhole} {...props} /> : <Cards rows={drawn} isWhole={isWhole} {...props} />
}

type DrawnProps<Row> = Omit<FiguresTableProps<Row>, 'wide'> & { isWhole: boolean }

function WideTable<Row>({ caption, rows, isWhole, keyOf, name, columns, sort }: DrawnProps<Row>) {
  return (
    <table data-whole={isWhole} className="w-full table-fixed text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-2.5 pr-4 text-left font-medium">
            {name.label}
          </th>
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              aria-sort={sort?.by === column.id ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
              className={clsx('py-1 pl-4 font-medium', column.width, column.align === 'left' ? 'text-left' : 'text-right')}
            >
              <Head column={column} sort={sort} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className="border-b border-line align-top last:border-0">
            <th scope="row" className="py-2.5 pr-4 text-left font-normal">
              {name.cell(row)}
            </th>
            {columns.map((column) => (
              <td key={column.id} className={clsx('py-2.5 pl-4', column.align === 'left' ? 'text-left' : 'text-right')}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head<Row>({ column, sort }: { column: FiguresColumn<Row>; sort: Sorting | undefined }) {
  if (!sort?.columns.includes(column.id)) return <>{column.label}</>
  const isSorted = sort.by === column.id
  const Arrow = sort.order === 'asc' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      className={clsx(
        'inline-flex h-9 items-center gap-1 rounded-sm font-medium hover:text-text',
        isSorted && 'text-text',
        // The arrow goes where it doesn't break the alignment.
        column.align !== 'left' && 'flex-row-reverse',
      )}
      onClick={() => sort.onSort(column.id)}
    >
      {column.label}
      <Arrow aria-hidden className={clsx('size-3.5', !isSorted && 'invisible')} />
    </button>
  )
}

function Cards<Row>({ caption, rows, isWhole, keyOf, name, columns }: DrawnProps<Row>) {
  return (
    <ul aria-label={caption} data-whole={isWhole} className="divide-y divide-line text-sm">
      {rows.map((row) => (
        <li key={keyOf(row)} className="py-4 first:pt-0 last:pb-0">
          {name.cell(row)}
          <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 tabular-nums sm:grid-cols-3">
            {columns.map((column) => (
              <div key={column.id}>
                <dt className="text-xs text-muted">{column.label}</dt>
                <dd className="mt-0.5">{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
