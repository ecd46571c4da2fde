import { hasPosition, type IsoDate, type SearchType } from '../../../contract/common.ts'
import { limited } from './file/cells.ts'
import type { Dimension, Layout } from './file/columns.ts'
import { notByDay } from './file/columns.ts'
import { countryOf } from './file/countries.ts'
import type { CsvRecord } from './file/csv.ts'
import { type DateOrder, readDate } from './file/dates.ts'
import { BadCell, createNumberReader } from './file/numbers.ts'
import { ImportRefusal, shown } from './refusal.ts'
import { deviceOf, searchTypeOf } from './file/vocabulary.ts'

/** One checked row of a dated table. `position` is 0 if there is none. */
export type ImportedRow = {
  date: IsoDate
  searchType: SearchType
  /** Values of the layout's dimensions, in its order; null if Google withholds one. */
  values: readonly (string | null)[]
  clicks: number
  impressions: number
  position: number
}

export type RowRules = {
  layout: Layout
  /** For rows that don't name one. */
  searchType: SearchType
  dateOrder: DateOrder | undefined
  /** The last day that can have data: today in Google's time zone. */
  today: IsoDate
  file: string | undefined
}

export const firstDay = '2000-01-01'
/** Google lists no more results per search; a larger position is a sum or a broken number. */
export const deepestPosition = 1000
/** A CTR is written with at least one decimal of a percent. */
const ctrTolerance = 0.0006

/** Turns records into rows, refusing the first bad one by line. Remembers what it learns about the file's number marks. */
export function createRowReader({ layout, searchType, dateOrder, today, file }: RowRules) {
  const numbers = createNumberReader()
  let lastDate: { cell: string; date: IsoDate } | undefined
  let site: string | undefined

  return function read({ line, fields }: CsvRecord): ImportedRow {
    const bad = (message: string): ImportRefusal => new ImportRefusal(message, { file, line })
    const cell = (name: string, column: number): string => limited(name, (fields[column] ?? '').trim(), bad)

    if (fields.length > layout.headers.length && fields.slice(layout.headers.length).some((text) => text.trim() !== '')) {
      throw bad(`This row has ${fields.length} columns, but the header has ${layout.headers.length}: is there an unquoted comma?`)
    }
    if (fields.length < layout.headers.length)
      throw bad(`This row has ${fields.length} columns, but the header has ${layout.headers.length}`)

    const number = <T>(name: string, column: number, kind: (text: string, line: number) => T): T => {
      try {
        return kind(cell(name, column), line)
      } catch (error) {
        if (error instanceof BadCell) throw bad(`The ${name} ${error.message}`)
        throw error
      }
    }

    const date = day(cell('date', layout.date), bad, line)
    const type = typeOf(layout.searchType === undefined ? undefined : cell('search type', layout.searchType), bad)
    oneSite(layout.site === undefined ? undefined : cell('site', layout.site), bad)
    const values = layout.dimensions.map(({ name, column }) => dimension(name, fields[column] ?? '', bad))
    // Decimals first: they settle the marks in "1.234" clicks.
    const position = layout.position === undefined ? undefined : number('position', layout.position, numbers.decimal)
    const ctr = layout.ctr === undefined ? undefined : number('CTR', layout.ctr, numbers.decimal)
    const clicks = number('number of clicks', layout.clicks, numbers.count)
    const impressions = number('number of impressions', layout.impressions, numbers.count)

    if (clicks > impressions) throw bad(`There are more clicks (${clicks}) than impressions (${impressions})`)
    if (ctr === undefined && layout.ctr !== undefined && impressions > 0) throw bad('The CTR is missing')
    if (ctr && (ctr.value > 100 || (ctr.percent && ctr.value > 1)))
      throw bad(`The CTR is above 100% (${shown(cell('CTR', layout.ctr as number), 30)})`)
    if (layout.byOrder && impressions > 0 && Math.abs((ctr?.value ?? -1) - clicks / impressions) > ctrTolerance) {
      throw bad(
        "The header isn't in a language we recognize. Rename the columns to date, clicks, impressions, CTR and position, in this order",
      )
    }
    const hasPositions = layout.position !== undefined && hasPosition(type)
    if (position?.percent) throw bad(`The position is not a number (${shown(cell('position', layout.position as number), 30)})`)
    if (hasPositions && impressions > 0 && position === undefined) throw bad('The position is missing')
    const mean = impressions === 0 ? 0 : (position?.value ?? 0)
    if (position && position.value < 1 && !(position.value === 0 && (impressions === 0 || !hasPositions))) {
      throw bad(`The position is below 1 (${shown(cell('position', layout.position as number), 30)}), but the top position is 1`)
    }
    if (mean > deepestPosition) {
      throw bad(`The position can't be ${shown(cell('position', layout.position as number), 30)}: Google lists at most 1,000 results`)
    }
    return { date, searchType: type, values, clicks, impressions, position: mean }
  }

  function day(text: string, bad: (message: string) => ImportRefusal, line: number): IsoDate {
    if (lastDate?.cell === text) return lastDate.date
    const reading = readDate(text, dateOrder)
    switch (reading.kind) {
      case 'day':
        if (reading.date > today) throw bad(`The date ${reading.date} is in the future`)
        if (reading.date < firstDay) throw bad(`The date ${reading.date} is before 2000`)
        lastDate = { cell: text, date: reading.date }
        return reading.date
      case 'hour':
      case 'week':
      case 'month':
      case 'span':
        throw notByDay(reading.kind, file, line)
      case 'ambiguous':
        throw bad(`The date "${shown(text, 30)}" is ambiguous: write dates as YYYY-MM-DD`)
      case 'impossible':
        throw bad(`"${shown(text, 30)}" is not a real date`)
      case 'none':
        throw bad(text === '' ? 'The date is missing' : `"${shown(text, 30)}" is not a date: write dates as YYYY-MM-DD`)
    }
  }

  function typeOf(text: string | undefined, bad: (message: string) => ImportRefusal): SearchType {
    if (text === undefined) return searchType
    const type = searchTypeOf(text)
    if (type === undefined) throw bad(`"${shown(text, 30)}" is not a search type: use web, image, video, news, discover or googleNews`)
    return type
  }

  function oneSite(text: string | undefined, bad: (message: string) => ImportRefusal): void {
    if (text === undefined || text === site) return
    if (site !== undefined)
      throw bad(`The file has more than one site ("${shown(site)}" and "${shown(text)}"): import each into its own property`)
    site = text
  }
}

function dimension(name: Dimension, text: string, bad: (message: string) => ImportRefusal): string {
  const value = limited(name, name === 'query' ? text : text.trim(), bad)
  if (value.trim() === '') throw bad(`The ${name} is missing`)
  if (name === 'device') {
    const device = deviceOf(value)
    if (!device) throw bad(`"${shown(value, 30)}" is not a device: use DESKTOP, MOBILE or TABLET`)
    return device
  }
  if (name === 'country') {
    const country = countryOf(value)
    if (!country) throw bad(`"${shown(value, 30)}" is not a country: use its three-letter code, such as usa`)
    return country
  }
  return value
}
