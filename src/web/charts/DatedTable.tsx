import { formatPeriod } from '../lib/dates.ts'
import { ChartTable } from './ChartTable.tsx'
import type { Point } from './sparkline-geometry.ts'

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
