import { z } from 'zod'

/** Figures of one period in a row of a window. */
const periodFigures = z.object({ clicks: z.number(), impressions: z.number(), ctr: z.number(), position: z.number() })
/** Figures of the period, and of the one it is compared with. */
export const windowFigures = periodFigures.extend({
  beforeClicks: z.number(),
  beforeImpressions: z.number(),
  beforeCtr: z.number(),
  beforePosition: z.number(),
})
export type WindowFigures = z.infer<typeof windowFigures>

export const ctrSql = (prefix = ''): string => `if(${prefix}impressions = 0, 0, ${prefix}clicks / ${prefix}impressions)`
/** The impression-weighted mean; 0 where no position is known. */
export const positionSql = (prefix = ''): string => `if(${prefix}ranked = 0, 0, ${prefix}position_sum / ${prefix}ranked)`

/** The columns of `windowFigures`, of a row of a window or of sums of such rows. */
export const windowColumns = `clicks, impressions, ${ctrSql()} AS ctr, ${positionSql()} AS position,
      before_clicks AS beforeClicks, before_impressions AS beforeImpressions, ${ctrSql('before_')} AS beforeCtr, ${positionSql('before_')} AS beforePosition`

/**
 * How a list is sorted by a figure or its change, in terms of `windowColumns`; what is not known, or has nothing to be counted
 * from, is neither good nor bad and comes last.
 */
export function sortSql(sort: string, order: 'asc' | 'desc', figure = (name: string): string => name): string {
  switch (sort) {
    case 'position':
      return `${figure('position')} = 0, ${figure('position')} ${order}`
    case 'clicksChange':
      return `toInt64(clicks) - toInt64(beforeClicks) ${order}`
    case 'impressionsChange':
      return `toInt64(impressions) - toInt64(beforeImpressions) ${order}`
    case 'ctrChange':
      return `impressions = 0 OR beforeImpressions = 0, ctr - beforeCtr ${order}`
    case 'positionChange':
      return `position = 0 OR beforePosition = 0, beforePosition - position ${order}`
    default:
      return `${figure(sort)} ${order}`
  }
}

/** The sums by which rows of a window are added up into one. */
export const windowSums = ['', 'before_']
  .flatMap((prefix) => ['clicks', 'impressions', 'position_sum', 'ranked'].map((name) => `sum(w.${prefix}${name}) AS ${prefix}${name}`))
  .join(', ')

/** That a text holds another, wherever it stands, capitals or not. The question binds the other one as `search`, or by another name. */
export const holdsText = (column: string, name = 'search'): string => `positionCaseInsensitiveUTF8(${column}, {${name}:String}) > 0`

/** What a window is asked by: its property, which says where it lies, and its number. */
export type WindowId = `${number}/${number}`
export const windowId = (property: number, window: number): WindowId => `${property}/${window}`

/** The condition that keeps a question on one window; it binds `windowParams`. */
export const inWindow = (prefix = ''): string => `${prefix}property = {property:UInt64} AND ${prefix}window = {window:UInt64}`

export function windowParams(id: WindowId): { property: number; window: number } {
  const [property = 0, window = 0] = id.split('/').map(Number)
  return { property, window }
}

/** A question of a window is so small that a second thread costs more than it brings, most of all when many ask. */
export const ofWindow = { threads: 1 }

/** Rows asked of a window at once when all of them are wanted. */
export type Part = { limit: number; offset: number }
