import { DatedTable } from '../DatedTable.tsx'
import type { Point } from '../sparkline-geometry.ts'

type SeriesTableProps = { caption: string; unit: string; points: readonly Point[]; format: (value: number) => string }

/** A sparkline's days as a table. */
export function SeriesTable({ caption, unit, points, format }: SeriesTableProps) {
  return <DatedTable caption={caption} columns={[unit]} rows={points.map(({ date, value }) => ({ date, cells: [format(value)] }))} />
}
