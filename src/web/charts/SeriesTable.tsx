import { formatDay } from '../lib/dates.ts'
import type { Point } from './sparkline-geometry.ts'

type SeriesTableProps = { caption: string; unit: string; points: readonly Point[]; format: (value: number) => string }

/** What a chart shows, as a table: newest day first. */
export function SeriesTable({ caption, unit, points, format }: SeriesTableProps) {
  return (
    <table className="min-w-52 text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1.5 pr-6 text-left font-medium">
            Date
          </th>
          <th scope="col" className="py-1.5 text-right font-medium">
            {unit}
          </th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map(({ date, value }) => (
          <tr key={date} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 pr-6 text-left font-normal">
              {formatDay(date, true)}
            </th>
            <td className="py-1.5 text-right">{format(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
