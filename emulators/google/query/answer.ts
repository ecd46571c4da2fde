import { DEVICES } from '../data/cells.ts'
import type { PropertyData, View } from '../data/property.ts'
import { formatDay, hoursOfDay } from '../dates.ts'
import { APPEARANCES, pageOfPair, queryOfPair } from './group.ts'
import type { Dimension, QueryRequest } from './request.ts'
import { daysOf } from './run.ts'
import type { Part, Slice } from './run.ts'

/** Whether Google gives positions for this kind of search. */
export function hasPosition(request: QueryRequest): boolean {
  return request.type !== 'discover' && request.type !== 'googleNews'
}

/** The JSON text of an answer, put together piece by piece: large answers would take several times as long as objects. */
export function writeAnswer(property: PropertyData, request: QueryRequest, slices: readonly Slice[], view: View): string {
  let text = '{'
  if (slices.length > 0) {
    text += '"rows":['
    let first = true
    for (const slice of slices) {
      const keys = keyWriters(property, request, slice.part)
      const { order, sums } = slice.part
      for (let i = slice.from; i < slice.to; i++) {
        const group = order[i] ?? 0
        text += first ? '{' : ',{'
        first = false
        if (keys.length > 0) {
          text += '"keys":['
          for (let k = 0; k < keys.length; k++) text += k > 0 ? `,${keys[k]?.(group)}` : keys[k]?.(group)
          text += '],'
        }
        const clicks = sums.clicks[group] ?? 0
        const impressions = sums.impressions[group] ?? 0
        text += `"clicks":${clicks},"impressions":${impressions},"ctr":${clicks / impressions}`
        if (hasPosition(request)) text += `,"position":${(sums.positions[group] ?? 0) / impressions}`
        text += '}'
      }
    }
    text += '],'
  }
  text += `"responseAggregationType":"${request.aggregation}"`
  const metadata = metadataOf(property, request, view)
  return metadata ? `${text},"metadata":${JSON.stringify(metadata)}}` : `${text}}`
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

/** From when on figures may still change; only where days or hours are listed and some of them are not final. */
function metadataOf(property: PropertyData, request: QueryRequest, view: View): Record<string, string> | null {
  const firstIncomplete = property.finalDay(view.today) + 1
  if (request.dataState === 'final' || !daysOf(property, request, view).some((day) => day >= firstIncomplete)) return null
  if (request.dimensions.includes('date')) return { firstIncompleteDate: formatDay(firstIncomplete) }
  if (request.dimensions.includes('hour')) return { firstIncompleteHour: hoursOfDay(firstIncomplete)[0]?.key ?? '' }
  return null
}
