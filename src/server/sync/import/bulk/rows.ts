import { hasPosition, type IsoDate, type SearchType } from '../../../../contract/common.ts'
import { type BulkLayout, bulkDimensions } from './layout.ts'
import { limited } from '../file/cells.ts'
import type { Dimension } from '../file/columns.ts'
import { countryOf } from '../file/countries.ts'
import type { CsvRecord } from '../file/csv.ts'
import { readDate } from '../file/dates.ts'
import { maxCount } from '../file/numbers.ts'
import { ImportRefusal, shown } from '../refusal.ts'
import { deepestPosition, firstDay, type ImportedRow } from '../rows.ts'
import { deviceOf, searchTypeOf } from '../file/vocabulary.ts'

/** What the tables of one upload share. */
export type BulkSeen = { site: string | undefined }

/** Tables exported from a data frame write integers as 12.0. */
const whole = /^\d{1,15}(?:\.0+)?$/

/**
 * Reads rows of a bulk export: position sums start at 0, and withheld texts are null. A row is a part of its key's figures, so its clicks
 * may exceed its impressions; a day's may not.
 */
export function createBulkReader(layout: BulkLayout, rules: { today: IsoDate; file: string | undefined; seen: BulkSeen }) {
  const { columns, headers } = layout
  const { today, file, seen } = rules
  const dimensions = bulkDimensions(layout)
  let lastDate = { cell: '', date: '' }

  /** Returns undefined for rows that aren't kept. */
  return function read({ line, fields }: CsvRecord): ImportedRow | undefined {
    const bad = (message: string): ImportRefusal => new ImportRefusal(message, { file, line })
    const cell = (name: string, column: number): string => limited(name, fields[column] ?? '', bad)
    if (fields.length !== headers.length) throw bad(`This row has ${fields.length} columns, but the header has ${headers.length}`)
    const count = (column: 'clicks' | 'impressions' | 'positions', name: string): number => {
      const text = cell(name, columns[column])
      if (whole.test(text)) {
        const value = Number(text)
        if (column !== 'positions' && value > maxCount) throw bad(`The ${name} is too large (${text})`)
        return value
      }
      if (text === '') throw bad(`The ${name} is missing`)
      throw bad(`The ${name} is ${/^-\d+$/.test(text) ? 'negative' : 'not a whole number'} (${shown(text, 30)})`)
    }

    const written = cell('date', columns.date)
    const date = written === lastDate.cell ? lastDate.date : day(written, bad)
    oneSite(cell('site', columns.site), bad)
    const searchType = typeOf(columns.searchType < 0 ? 'WEB' : cell('search type', columns.searchType), bad)
    const clicks = count('clicks', 'number of clicks')
    const impressions = count('impressions', 'number of impressions')
    const hasPositions = hasPosition(searchType)
    const sum = hasPositions ? count('positions', 'sum of positions') : 0
    if (sum > impressions * (deepestPosition - 1)) {
      throw bad(
        impressions === 0
          ? `There's a sum of positions (${sum}) but no impressions`
          : `The position can't be ${(sum / impressions + 1).toFixed(1)} (a sum of ${sum} over ${impressions} impressions)`,
      )
    }
    if (clicks === 0 && impressions === 0) return undefined
    const values = dimensions.map((name) => valueOf(name, fields, bad))
    return { date, searchType, values, clicks, impressions, position: impressions === 0 || !hasPositions ? 0 : sum / impressions + 1 }
  }

  function day(text: string, bad: (message: string) => ImportRefusal): IsoDate {
    const reading = readDate(text)
    if (reading.kind !== 'day') throw bad(text === '' ? 'The date is missing' : `"${shown(text, 30)}" is not a date such as 2026-07-31`)
    if (reading.date > today) throw bad(`The date ${reading.date} is in the future`)
    if (reading.date < firstDay) throw bad(`The date ${reading.date} is before 2000`)
    lastDate = { cell: text, date: reading.date }
    return reading.date
  }

  function oneSite(text: string, bad: (message: string) => ImportRefusal): void {
    if (text === '' || text === seen.site) return
    if (seen.site !== undefined) {
      throw bad(`The file has more than one property ("${shown(seen.site)}" and "${shown(text)}"): import each into its own property`)
    }
    seen.site = text
  }

  function valueOf(name: Dimension, fields: readonly string[], bad: (message: string) => ImportRefusal): string | null {
    const text = limited(name, fields[columns[name]] ?? '', bad)
    switch (name) {
      case 'query':
        return text === '' || fields[columns.anonymized] === 'true' ? null : text
      case 'page':
        return text === '' ? null : text
      case 'device': {
        const device = text === '' ? null : deviceOf(text)
        if (device === undefined) throw bad(`"${shown(text, 30)}" is not a device`)
        return device
      }
      case 'country': {
        const country = text === '' ? unknownCountry : countryOf(text)
        if (country === undefined) throw bad(`"${shown(text, 30)}" is not a country`)
        return country
      }
    }
  }
}

/** Google's code for a country it doesn't know or doesn't reveal. */
const unknownCountry = 'zzz'

function typeOf(text: string, bad: (message: string) => ImportRefusal): SearchType {
  const type = searchTypeOf(text)
  if (type === undefined) throw bad(`"${shown(text, 30)}" is not a search type`)
  return type
}
