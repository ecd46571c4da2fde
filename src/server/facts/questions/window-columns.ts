import { z } from 'zod'
import { figures } from '../../../contract/figures.ts'

/** Figures of the period and of the compared one. */
export const windowFigures = figures.extend({
  beforeClicks: z.number(),
  beforeImpressions: z.number(),
  beforeCtr: z.number(),
  beforePosition: z.number(),
})
export type WindowFigures = z.infer<typeof windowFigures>

export const ctrSql = (prefix = ''): string => `if(${prefix}impressions = 0, 0, ${prefix}clicks / ${prefix}impressions)`
/** The impression-weighted mean; 0 without known positions. */
export const positionSql = (prefix = ''): string => `if(${prefix}ranked = 0, 0, ${prefix}position_sum / ${prefix}ranked)`

/** The columns of `windowFigures`, from a window row or from sums of such rows. */
export const windowColumns = `clicks, impressions, ${ctrSql()} AS ctr, ${positionSql()} AS position,
      before_clicks AS beforeClicks, before_impressions AS beforeImpressions, ${ctrSql('before_')} AS beforeCtr, ${positionSql('before_')} AS beforePosition`

/**
 * Sorts a list by a figure or its change, in terms of `windowColumns`; unknown figures, and changes without a base, are neither good nor
 * bad and come last.
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

/** The sums that merge window rows into one. */
export const windowSums = ['', 'before_']
  .flatMap((prefix) => ['clicks', 'impressions', 'position_sum', 'ranked'].map((name) => `sum(w.${prefix}${name}) AS ${prefix}${name}`))
  .join(', ')

/**
 * Whether a text contains another anywhere, ignoring case. The question binds the other one as `search`, or by another name. Both are
 * folded first: the engine's own search without case took up to 29 milliseconds for a single long name, this takes 0.1 (decision 0110).
 */
export const holdsText = (column: string, name = 'search'): string => `position(${foldedSql(column)}, ${foldedSql(`{${name}:String}`)}) > 0`

/** The same for a page, which people read decoded (core/analytics/page-path.ts): a text is found as stored, or as it is read. */
export const pageHoldsText = (column: string, text: string, name = 'search'): string => {
  const asStored = holdsText(column, name)
  return mayBeEncoded(text) ? `(${asStored} OR ${holdsText(decodedSql(column), name)})` : asStored
}

/** Whether a URL may have this text percent-encoded. For all others, nothing needs to be decoded. */
export const mayBeEncoded = (text: string): boolean => /[^!-~]|["<>[\\\]^`{|}]|%(?![0-9a-f]{2})/i.test(text)

/** A page as it is read. */
export const decodedSql = (column: string): string => `decodeURLComponent(${column})`

/** A sigma at the end of a word is the same letter. */
const foldedSql = (text: string): string => `replaceAll(lowerUTF8(${text}), 'ς', 'σ')`

/** Identifies a window: its property, which determines where it is stored, and its number. */
export type WindowId = `${number}/${number}`
export const windowId = (property: number, window: number): WindowId => `${property}/${window}`

/** The condition that limits a question to one window; it binds `windowParams`. */
export const inWindow = (prefix = ''): string => `${prefix}property = {property:UInt64} AND ${prefix}window = {window:UInt64}`

export function windowParams(id: WindowId): { property: number; window: number } {
  const [property = 0, window = 0] = id.split('/').map(Number)
  return { property, window }
}

/** Window questions are so small that a second thread costs more than it gains, above all under load. */
export const ofWindow = { threads: 1 }

/** Window rows per request when all of them are needed. */
export type Part = { limit: number; offset: number }
