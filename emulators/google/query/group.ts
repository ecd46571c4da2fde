import { deal } from '../figures/cells.ts'
import { mix, unit } from '../figures/random.ts'
import type { DayRows } from '../figures/day.ts'
import type { PropertyData } from '../figures/property.ts'
import { HourDealer } from './deal-hours.ts'
import type { Dimension } from './request.ts'
import type { RowFilter } from './filter.ts'
import type { Sums } from './sums.ts'

/** How rows are grouped: by which of the property's names, and how finely their events are distributed. */
export interface Grouping {
  readonly entity: 'none' | 'page' | 'query' | 'pair' | 'appearance' | 'row'
  readonly country: boolean
  readonly device: boolean
  /** What has been counted by the end of each hour of the day, if grouped by hour. */
  readonly hours: Float64Array | null
  /** Count repeats too. */
  readonly byPage: boolean
}

export function groupingOf(dimensions: readonly Dimension[], byPage: boolean, hours: Float64Array | null): Grouping {
  const has = (dimension: Dimension): boolean => dimensions.includes(dimension)
  const entity = has('searchAppearance') ? 'appearance' : has('page') ? (has('query') ? 'pair' : 'page') : has('query') ? 'query' : 'none'
  return { entity, country: has('country'), device: has('device'), hours, byPage }
}

const PAIR_PAGES = 0x400000

/** Packs page and query into one number. */
function pairKey(page: number, query: number): number {
  return query * PAIR_PAGES + page
}

export function pageOfPair(key: number): number {
  return key % PAIR_PAGES
}

export function queryOfPair(key: number): number {
  return Math.floor(key / PAIR_PAGES)
}

function entityKey(entity: Exclude<Grouping['entity'], 'appearance'>, row: number, page: number, query: number): number {
  switch (entity) {
    case 'none':
      return 0
    case 'row':
      return row
    case 'page':
      return page
    case 'query':
      return query
    case 'pair':
      return pairKey(page, query)
  }
}

export const APPEARANCES: readonly string[] = ['MERCHANT_LISTINGS', 'PRODUCT_SNIPPETS', 'RECIPE_FEATURE', 'REVIEW_SNIPPET']

/**
 * Adds a day's rows to the sums, grouped and filtered. `detail` of a sum is (hour × countries + country) × 3 + device.
 * @param onlyDay whether no other day is added to the same sums
 */
export function addRows(sums: Sums, rows: DayRows, property: PropertyData, grouping: Grouping, filter: RowFilter, onlyDay: boolean): void {
  const named = filter.namedOnly || grouping.entity === 'query' || grouping.entity === 'pair'
  const split = grouping.country || grouping.device || grouping.hours !== null || filter.cells
  // Generated days have each pair once; only literal ones can repeat it.
  const distinct = onlyDay && grouping.entity === 'pair' && !rows.cell
  const splitter = split ? new Splitter(sums, property, grouping, filter) : null
  const add = (i: number, entity: number): void => {
    if (splitter) {
      splitter.add(rows, i, entity)
      return
    }
    const clicks = rows.clicks[i] ?? 0
    let impressions = clicks + (rows.seen[i] ?? 0)
    let positions = rows.positions[i] ?? 0
    if (grouping.byPage) {
      impressions += rows.repeats[i] ?? 0
      positions += rows.repeatPositions[i] ?? 0
    }
    if (impressions === 0) return
    if (distinct) sums.append(entity, 0, clicks, impressions, positions)
    else sums.add(entity, 0, clicks, impressions, positions)
  }
  for (let i = 0; i < rows.count; i++) {
    const page = rows.page[i] ?? 0
    const query = rows.query[i] ?? -1
    if ((named && query < 0) || !filter.row(page, query)) continue
    if (grouping.entity !== 'appearance') add(i, entityKey(grouping.entity, i, page, query))
    // Counted in each of its appearances, and in none without any.
    else for (const name of property.appearances[page] ?? []) add(i, APPEARANCES.indexOf(name))
  }
}

/** Events of one row that are counted together, and the sums of their positions. */
interface Events {
  clicks: number
  seen: number
  repeats: number
  positions: number
  repeatPositions: number
}

/** Distributes each row over countries, devices and hours. Always all the way down, so that every grouping agrees. */
class Splitter {
  readonly #sums: Sums
  readonly #property: PropertyData
  readonly #grouping: Grouping
  readonly #filter: RowFilter
  readonly #clicks: Int32Array
  readonly #seen: Int32Array
  readonly #repeats: Int32Array
  readonly #dealer: HourDealer | null
  readonly #byHour = { clicks: new Int32Array(25), seen: new Int32Array(25), repeats: new Int32Array(25) }

  constructor(sums: Sums, property: PropertyData, grouping: Grouping, filter: RowFilter) {
    this.#sums = sums
    this.#property = property
    this.#grouping = grouping
    this.#filter = filter
    const room = property.cells.capacity
    this.#clicks = new Int32Array(room)
    this.#seen = new Int32Array(room)
    this.#repeats = new Int32Array(room)
    this.#dealer = grouping.hours && new HourDealer(grouping.hours)
  }

  add(rows: DayRows, i: number, entity: number): void {
    const seed = rows.seed[i] ?? 0
    const clicks = rows.clicks[i] ?? 0
    const seen = rows.seen[i] ?? 0
    const repeats = rows.repeats[i] ?? 0
    const positions = rows.positions[i] ?? 0
    const repeatPositions = rows.repeatPositions[i] ?? 0
    this.#dealer?.take(rows, i)
    const done = { clicks: 0, seen: 0, repeats: 0 }
    const fixed = rows.cell?.[i] ?? -1
    if (fixed >= 0) {
      this.#cell(entity, fixed, { clicks, seen, repeats, positions, repeatPositions }, done)
      return
    }
    const { cells } = this.#property
    deal(cells, clicks, unit(mix(seed, 21)), this.#clicks)
    deal(cells, seen, unit(mix(seed, 22)), this.#seen)
    deal(cells, repeats, unit(mix(seed, 23)), this.#repeats)
    for (let cell = 0; cell < cells.capacity; cell++) {
      const c = this.#clicks[cell] ?? 0
      const s = this.#seen[cell] ?? 0
      const r = this.#repeats[cell] ?? 0
      if (c + s + r === 0) continue
      this.#clicks[cell] = this.#seen[cell] = this.#repeats[cell] = 0
      const counted = done.clicks + done.seen
      const share = partition(positions, clicks + seen, counted, counted + c + s)
      const repeatShare = partition(repeatPositions, repeats, done.repeats, done.repeats + r)
      this.#cell(entity, cell, { clicks: c, seen: s, repeats: r, positions: share, repeatPositions: repeatShare }, done)
      done.clicks += c
      done.seen += s
      done.repeats += r
    }
  }

  /** Adds the events of one country and device; `before` is how many of the row's events were assigned to others. */
  #cell(entity: number, cell: number, events: Events, before: Pick<Events, 'clicks' | 'seen' | 'repeats'>): void {
    const country = Math.floor(cell / 3)
    const device = cell % 3
    if (!this.#filter.cell(country, device)) return
    const detail = (this.#grouping.country ? country * 3 : 0) + (this.#grouping.device ? device : 0)
    if (this.#dealer) this.#hours(this.#dealer, entity, detail, events, before)
    else this.#sum(entity, detail, events)
  }

  #hours(dealer: HourDealer, entity: number, detail: number, events: Events, before: Pick<Events, 'clicks' | 'seen' | 'repeats'>): void {
    for (const kind of ['clicks', 'seen', 'repeats'] as const) {
      dealer.count(kind, before[kind], before[kind] + events[kind], this.#byHour[kind])
    }
    const room = this.#property.cells.countries.length * 3
    let counted = 0
    let repeated = 0
    for (let hour = 0; hour < dealer.hours; hour++) {
      const clicks = this.#byHour.clicks[hour] ?? 0
      const seen = this.#byHour.seen[hour] ?? 0
      const repeats = this.#byHour.repeats[hour] ?? 0
      if (clicks + seen + repeats === 0) continue
      const positions = partition(events.positions, events.clicks + events.seen, counted, (counted += clicks + seen))
      const repeatPositions = partition(events.repeatPositions, events.repeats, repeated, (repeated += repeats))
      this.#sum(entity, hour * room + detail, { clicks, seen, repeats, positions, repeatPositions })
    }
  }

  #sum(entity: number, detail: number, { clicks, seen, repeats, positions, repeatPositions }: Events): void {
    const { byPage } = this.#grouping
    const impressions = clicks + seen + (byPage ? repeats : 0)
    if (impressions > 0) this.#sums.add(entity, detail, clicks, impressions, positions + (byPage ? repeatPositions : 0))
  }
}

/** The part of an integer sum that belongs to the items from..to out of n; the parts add up to the sum. */
function partition(sum: number, n: number, from: number, to: number): number {
  if (n === 0) return 0
  if (!Number.isInteger(sum)) return (sum * (to - from)) / n
  return Math.floor((sum * to) / n) - Math.floor((sum * from) / n)
}
