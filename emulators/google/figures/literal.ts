import { DEVICES } from './cells.ts'
import type { Cells } from './cells.ts'
import { emptyRows } from './day.ts'
import type { DayRows } from './day.ts'
import type { Names } from './names.ts'
import { mix } from './random.ts'

/** A row of a day as dictated by a test. Without a query it is anonymized; without country or device these are drawn. */
export interface LiteralRow {
  readonly query?: string | undefined
  readonly page: string
  readonly clicks: number
  readonly impressions: number
  readonly position: number
  readonly country?: string | undefined
  readonly device?: (typeof DEVICES)[number] | undefined
}

/** Turns dictated rows into a day's columns, adding their texts to the property's names. */
export function literalDay(
  property: { readonly pages: Names; readonly queries: Names; readonly cells: Cells },
  given: readonly LiteralRow[],
  seed: number,
): DayRows {
  const rows: DayRows = { ...emptyRows(given.length), cell: new Int32Array(given.length).fill(-1) }
  given.forEach((row, i) => {
    const clicks = Math.min(row.clicks, row.impressions)
    rows.page[i] = property.pages.add(row.page)
    rows.query[i] = row.query === undefined ? -1 : property.queries.add(row.query)
    rows.clicks[i] = clicks
    rows.seen[i] = row.impressions - clicks
    rows.positions[i] = row.position * row.impressions
    rows.seed[i] = mix(seed, i)
    if (rows.cell && (row.country !== undefined || row.device !== undefined)) {
      const { countries } = property.cells
      const code = row.country ?? countries[0] ?? 'usa'
      let country = countries.indexOf(code)
      if (country < 0) country = countries.push(code) - 1
      rows.cell[i] = country * DEVICES.length + DEVICES.indexOf(row.device ?? 'DESKTOP')
    }
  })
  rows.count = given.length
  return rows
}
