import { formatDay } from '../lib/dates.ts'

type DatedTableProps = { caption: string; columns: readonly string[]; rows: readonly { date: string; cells: readonly string[] }[] }

/** What a chart over days shows, as a table: newest day first. */
export function DatedTable({ caption, columns, rows }: DatedTableProps) {
  return (
    <table className="min-w-52 text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1.5 pr-6 text-left font-medium">
            Date
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="py-1.5 pl-4 text-right font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map(({ date, cells }) => (
          <tr key={date} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pr-6 text-left font-normal whitespace-nowrap">
              {formatDay(date, true)}
            </th>
            {columns.map((column, index) => (
              <td key={column} className="py-1.5 pl-4 text-right">
                {cells[index]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
