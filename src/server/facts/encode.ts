import type { IsoDate, SearchType } from '../../contract/common.ts'

/**
 * One row as Google returns it. `keys` are the values of the grain's dimensions in the order of `grainDimensions`; `position` is the mean
 * position (1 = top), 0 if the search type has none.
 */
export type FactRow = {
  date: IsoDate
  keys: readonly string[]
  clicks: number
  impressions: number
  position: number
}

export type LoadTarget = {
  property: number
  searchType: SearchType
  /** Greater than the number of every earlier load; from the `fact_load` sequence. */
  load: number
}

export type DayTotals = { rows: number; clicks: number; impressions: number }

/** Rows of one grain in the store's format (TabSeparated), with their totals by day. */
export type EncodedRows = { text: Uint8Array<ArrayBuffer>; rows: number; days: [IsoDate, DayTotals][] }

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0', '\b': '\\b', '\f': '\\f' }
// oxlint-disable-next-line no-control-regex -- these are exactly what TabSeparated has to escape
const special = /[\\\t\n\r\0\b\f]/
// oxlint-disable-next-line no-control-regex
const specialAll = /[\\\t\n\r\0\b\f]/g

/** Escapes text so that ClickHouse's TabSeparated format reads it back unchanged; lone surrogates, impossible in UTF-8, become U+FFFD. */
function escapeTsv(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return special.test(whole) ? whole.replace(specialAll, (c) => escapes[c] ?? c) : whole
}

const utf8 = new TextEncoder()

/** Encodes the rows of one load; the columns are those of `factColumns`. */
export function encodeRows(target: LoadTarget, rows: readonly FactRow[]): EncodedRows {
  const prefix = `${target.property}\t${target.searchType}\t`
  const days = new Map<IsoDate, DayTotals>()
  let text = ''
  for (const { date, keys, clicks, impressions, position } of rows) {
    let day = days.get(date)
    if (!day) days.set(date, (day = { rows: 0, clicks: 0, impressions: 0 }))
    day.rows += 1
    day.clicks += clicks
    day.impressions += impressions
    text += `${prefix}${date}\t${target.load}\t`
    for (const key of keys) text += `${escapeTsv(key)}\t`
    text += `${clicks}\t${impressions}\t${position * impressions}\n`
  }
  return { text: utf8.encode(text), rows: rows.length, days: [...days] }
}
