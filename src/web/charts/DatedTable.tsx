import { formatPeriod } from '../lib/dates.ts'
import { ChartTable } from './ChartTable.tsx'

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
