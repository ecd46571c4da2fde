import type { View } from '../figures/hours.ts'
import type { PropertyData } from '../figures/property.ts'
import { monthsBefore } from '../dates.ts'
import { compileFilters } from './filter.ts'
import { addRows, groupingOf } from './group.ts'
import type { QueryRequest } from './request.ts'
import { Sums } from './sums.ts'

/** Google keeps this many months, and returns at most this many rows per day and type. */
const MONTHS_KEPT = 16
const ROWS_PER_DAY = 50_000
const HOURLY_DAYS = 10
const CACHED_GROUPS = 600_000

/** Sorted groups of one day, or of the whole range if grouped by neither date nor hour. */
export interface Part {
  /** -1: the whole range. */
  readonly day: number
  readonly sums: Sums
  readonly order: Uint32Array
}

/** The rows of a part that are returned: order[from] up to, not including, order[to]. */
export interface Slice {
  readonly part: Part
  readonly from: number
  readonly to: number
}

/** Answers queries about properties; caches what paging through a result would otherwise recompute. */
export class QueryRunner {
  readonly #parts = new Map<string, Part>()
  readonly #counts = new Map<string, number>()
  #cachedGroups = 0

  /** The requested page of rows, in order. Empty past the end. */
  run(property: PropertyData, request: QueryRequest, view: View): Slice[] {
    const days = daysOf(property, request, view)
    const byDay = request.dimensions.includes('date') || request.dimensions.includes('hour')
    const units = byDay ? days.map((day) => [day]) : days.length > 0 ? [days] : []
    const { startDay: _s, endDay: _e, rowLimit: _l, startRow: _r, ...shape } = request
    const base = `${property.siteUrl} ${property.version} ${JSON.stringify(shape)}`
    const slices: Slice[] = []
    let skip = request.startRow
    let wanted = request.rowLimit
    for (const unit of units) {
      if (wanted === 0) break
      const day = byDay ? (unit[0] ?? 0) : -1
      const key = `${base} ${unit[0]}-${unit.at(-1)} ${view.today} ${view.dayShare}`
      const known = this.#counts.get(key)
      if (known !== undefined && known <= skip) {
        skip -= known
        continue
      }
      const part = this.#part(key, property, request, unit, day, view)
      const rows = part.order.length
      const from = Math.min(skip, rows)
      const to = Math.min(rows, from + wanted)
      skip -= from
      wanted -= to - from
      if (to > from) slices.push({ part, from, to })
    }
    return slices
  }

  #part(key: string, property: PropertyData, request: QueryRequest, days: readonly number[], day: number, view: View): Part {
    const cached = this.#parts.get(key)
    if (cached) return cached
    const part = compute(property, request, days, day, view)
    this.#parts.set(key, part)
    this.#counts.set(key, part.order.length)
    if (this.#counts.size > 50_000) this.#counts.clear()
    this.#cachedGroups += part.order.length + 50
    for (const [oldKey, old] of this.#parts) {
      if (this.#cachedGroups <= CACHED_GROUPS || oldKey === key) break
      this.#parts.delete(oldKey)
      this.#cachedGroups -= old.order.length + 50
    }
    return part
  }
}

/** The requested days that can have data: limited to what is kept, and to what the data state shows. */
export function daysOf(property: PropertyData, request: QueryRequest, view: View): number[] {
  const last = request.dataState === 'final' ? property.finalDay(view.today) : view.today
  const oldest = request.dataState === 'hourly_all' ? view.today - HOURLY_DAYS : monthsBefore(view.today, MONTHS_KEPT)
  const days: number[] = []
  for (let day = Math.max(request.startDay, oldest); day <= Math.min(request.endDay, last); day++) days.push(day)
  return days
}

function compute(property: PropertyData, request: QueryRequest, days: readonly number[], day: number, view: View): Part {
  const hourly = request.dimensions.includes('hour')
  const shares = hourly ? property.countedByHour(request.type, day, view) : null
  const grouping = groupingOf(request.dimensions, request.aggregation === 'byPage', shares)
  const filter = compileFilters(request.filters, property)
  const details = property.cells.countries.length * 3
  const sums = new Sums(details * (shares?.length ?? 1))
  for (const each of days) {
    const rows = property.rows(request.type, each, view)
    if (rows) addRows(sums, rows, property, grouping, filter, days.length === 1)
  }
  const hourOf = (group: number): number => Math.floor((sums.detail[group] ?? 0) / details)
  const order = sums.seal().order(hourly ? hourOf : () => 0)
  return { day, sums, order: order.subarray(0, ROWS_PER_DAY * days.length) }
}
