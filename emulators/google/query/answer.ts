import { DEVICES } from '../figures/cells.ts'
import { firstIncompleteHour } from '../figures/hours.ts'
import type { View } from '../figures/hours.ts'
import type { PropertyData } from '../figures/property.ts'
import { formatDay, hoursOfDay } from '../dates.ts'
import { APPEARANCES, pageOfPair, queryOfPair } from './group.ts'
import type { Dimension, QueryRequest } from './request.ts'
import { daysOf } from './run.ts'
import type { Part, Slice } from './run.ts'

/** Whether Google gives positions for this search type. */
function hasPosition(request: QueryRequest): boolean {
  return request.type !== 'discover' && request.type !== 'googleNews'
}

const CHUNK = 32_768

/**
 * The JSON bytes of a response, assembled piece by piece: building objects first, or one long string, takes several times as long for large
 * responses.
 */
export function writeAnswer(property: PropertyData, request: QueryRequest, slices: readonly Slice[], view: View): Buffer {
  const chunks: Buffer[] = []
  let text = slices.length > 0 ? '{"rows":[' : '{'
  let first = true
  for (const slice of slices) {
    const writeRow = rowWriter(property, request, slice.part)
    for (let i = slice.from; i < slice.to; i++) {
      text += first ? '{' : ',{'
      text += writeRow(slice.part.order[i] ?? 0)
      first = false
      if (text.length > CHUNK) {
        chunks.push(Buffer.from(text))
        text = ''
      }
    }
  }
  if (slices.length > 0) text += '],'
  text += `"responseAggregationType":"${request.aggregation}"`
  const metadata = metadataOf(property, request, view)
  text += metadata ? `,"metadata":${JSON.stringify(metadata)}}` : '}'
  chunks.push(Buffer.from(text))
  return Buffer.concat(chunks)
}

/** A row after its opening brace. */
function rowWriter(property: PropertyData, request: QueryRequest, part: Part): (group: number) => string {
  const [firstKey, ...otherKeys] = keyWriters(property, request, part)
  const withPosition = hasPosition(request)
  const { sums } = part
  return (group) => {
    let keys = ''
    if (firstKey) {
      keys = `"keys":[${firstKey(group)}`
      for (const key of otherKeys) keys += `,${key(group)}`
      keys += '],'
    }
    const clicks = sums.clicks[group] ?? 0
    const impressions = sums.impressions[group] ?? 0
    const position = withPosition ? `,"position":${decimal((sums.positions[group] ?? 0) / impressions)}` : ''
    return `${keys}"clicks":${clicks},"impressions":${impressions},"ctr":${decimal(clicks / impressions)}${position}}`
  }
}

const decimals = new Map<number, string>()

/** A number as text. Most rows are small, so the same few thousand fractions recur. */
function decimal(value: number): string {
  let text = decimals.get(value)
  if (text === undefined) {
    text = String(value)
    if (decimals.size > 50_000) decimals.clear()
    decimals.set(value, text)
  }
  return text
}

type KeyWriter = (group: number) => string

function keyWriters(property: PropertyData, request: QueryRequest, part: Part): KeyWriter[] {
  const { sums } = part
  const paired = request.dimensions.includes('page') && request.dimensions.includes('query')
  const entity = (group: number): number => sums.entity[group] ?? 0
  const countries = property.cells.countries
  const quoted = countries.map((code) => JSON.stringify(code))
  const cellOf = (group: number): number => (sums.detail[group] ?? 0) % (countries.length * 3)
  const writer = (dimension: Dimension): KeyWriter => {
    switch (dimension) {
      case 'date': {
        const date = JSON.stringify(formatDay(part.day))
        return () => date
      }
      case 'hour': {
        const hours = hoursOfDay(part.day).map((hour) => JSON.stringify(hour.key))
        return (group) => hours[Math.floor((sums.detail[group] ?? 0) / (countries.length * 3))] ?? '""'
      }
      case 'query':
        return (group) => property.queries.json[paired ? queryOfPair(entity(group)) : entity(group)] ?? '""'
      case 'page':
        return (group) => property.pages.json[paired ? pageOfPair(entity(group)) : entity(group)] ?? '""'
      case 'country':
        return (group) => quoted[Math.floor(cellOf(group) / 3)] ?? '""'
      case 'device':
        return (group) => `"${DEVICES[cellOf(group) % 3]}"`
      case 'searchAppearance':
        return (group) => `"${APPEARANCES[entity(group)]}"`
    }
  }
  return request.dimensions.map(writer)
}

/** The point from which figures may still change; only if days or hours are listed and some of them are incomplete. */
function metadataOf(property: PropertyData, request: QueryRequest, view: View): Record<string, string> | null {
  if (request.dataState === 'final') return null
  const days = daysOf(property, request, view)
  const since = (first: string): boolean => days.some((day) => formatDay(day) >= first.slice(0, 10))
  if (request.dimensions.includes('date')) {
    const firstIncompleteDate = formatDay(property.finalDay(view.today) + 1)
    return since(firstIncompleteDate) ? { firstIncompleteDate } : null
  }
  if (request.dimensions.includes('hour')) {
    const first = firstIncompleteHour(view)
    return since(first) ? { firstIncompleteHour: first } : null
  }
  return null
}
