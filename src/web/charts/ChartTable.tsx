import { clsx } from 'clsx'
import { Link } from 'react-router'
import { formatPeriod } from '../lib/dates.ts'
import type { Point } from './sparkline-geometry.ts'

export type ChartTableRow = {
  name: string
  /** A page with more about it. */
  href?: string | undefined
  cells: readonly string[]
}

type ChartTableProps = { caption: string; heading: string; columns: readonly string[]; rows: readonly ChartTableRow[] }

/** A chart's data as a table. */
export function ChartTable({ caption, heading, columns, rows }: ChartTableProps) {
  return (
    <table className="min-w-52 text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1.5 pr-6 text-left font-medium">
            {heading}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1.5 pl-4 text-right font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, href, cells }) => (
          <tr key={name} className="border-b border-line last:border-0">
            <th scope="row" className={clsx('pr-6 text-left font-normal lg:py-1.5', href === undefined && 'py-1.5')}>
              <span className="block w-max max-w-[min(24rem,50vw)] wrap-anywhere">
                {href === undefined ? (
                  name
                ) : (
                  <Link to={href} className="flex min-h-10 items-center text-brand hover:underline lg:min-h-0">
                    {name}
                  </Link>
                )}
              </span>
            </th>
            {columns.map((column, index) => (
              <td key={column} className="py-1.5 pl-4 text-right whitespace-nowrap">
                {cells[index]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type DatedTableProps = {
  caption: string
  columns: readonly string[]
  rows: readonly { date: string; end?: string; cells: readonly string[] }[]
}

/** The data of a chart over days as a table, newest day first. */
export function DatedTable({ caption, columns, rows }: DatedTableProps) {
  return (
    <ChartTable
      caption={caption}
      heading="Date"
      columns={columns}
      rows={rows.toReversed().map(({ date, end = date, cells }) => ({ name: formatPeriod({ start: date, end }, true), cells }))}
    />
  )
}

type SeriesTableProps = { caption: string; unit: string; points: readonly Point[]; format: (value: number) => string }

/** A sparkline's days as a table. */
export function SeriesTable({ caption, unit, points, format }: SeriesTableProps) {
  return <DatedTable caption={caption} columns={[unit]} rows={points.map(({ date, value }) => ({ date, cells: [format(value)] }))} />
}
