import type { SortOrder } from '../../../contract/analytics.ts'
import type { ComparedFigures } from '../../../contract/figures.ts'
import type { ExploreRow, Grouping } from '../../../contract/explore/explore.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { appearanceName } from '../../../core/analytics/exploration.ts'
import type { RowsOf } from './in-blocks.ts'

/** Rows, and the totals of all rows. */
export type Listed = {
  first(limit: number): Promise<{ rows: ExploreRow[]; count: number; totals: ComparedFigures }>
  rows: RowsOf
}

export const noRows: Listed = {
  first: () => Promise.resolve({ rows: [], count: 0, totals: { clicks: 0, impressions: 0, ctr: 0, position: 0, previous: null } }),
  rows: () => Promise.resolve([]),
}

/** The names that people see in place of Google's codes. */
const shownNames: Partial<Record<Grouping, (code: string) => string>> = {
  country: countryName,
  device: deviceName,
  search_appearance: appearanceName,
}
/** More than there are of any of these. */
const mostCodes = 10_000
const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The same rows sorted by the names that people see, if those aren't the stored ones: few enough to be sorted here. */
export function byShownName(list: Listed, by: Grouping, order: SortOrder): Listed {
  const nameOf = shownNames[by]
  if (nameOf === undefined) return list
  const sorted = (rows: readonly ExploreRow[]): ExploreRow[] =>
    rows.toSorted((a, b) => (order === 'asc' ? 1 : -1) * compare(nameOf(a.name), nameOf(b.name)))
  return {
    async first(limit) {
      const { rows, ...others } = await list.first(mostCodes)
      return { ...others, rows: sorted(rows).slice(0, limit) }
    },
    rows: async ({ limit, offset }) => sorted(await list.rows({ limit: mostCodes, offset: 0 })).slice(offset, offset + limit),
  }
}
