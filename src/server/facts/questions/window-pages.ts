import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { PageListSort } from '../../../contract/pages.ts'
import { askSegmented, type Segment, segmentedRows } from '../segmented-rows.ts'
import { ctrSql, pageHoldsText, type Part, sortSql, windowColumns, windowFigures, type WindowId } from './window-columns.ts'

export type PagesQuestion = {
  window: WindowId
  segment?: Segment | undefined
  search?: string | undefined
  impressionsAbove?: number | undefined
  /** CTR in percent with two decimals, as displayed. */
  ctrBelow?: number | undefined
  ctrAtLeast?: number | undefined
  sort: PageListSort
  order: 'asc' | 'desc'
}

const row = windowFigures.extend({ page: z.string() })
export type WindowPage = z.infer<typeof row>

/** A window's pages with their figures, sorted; the order is total, so that parts fit together. */
export function windowPages(client: ClickHouseClient, question: PagesQuestion, part: Part): Promise<WindowPage[]> {
  const { window, segment, search, impressionsAbove, ctrBelow, ctrAtLeast, sort, order } = question
  const source = segmentedRows('page', window, segment)
  const shownCtr = `round(100 * ${ctrSql()}, 2)`
  const conditions = [...source.conditions, 'impressions > 0']
  if (search) conditions.push(pageHoldsText('page', search))
  if (impressionsAbove !== undefined) conditions.push('impressions > {impressionsAbove:Float64}')
  if (ctrBelow !== undefined) conditions.push(`${shownCtr} < {ctrBelow:Float64}`)
  if (ctrAtLeast !== undefined) conditions.push(`${shownCtr} >= {ctrAtLeast:Float64}`)
  const sql = `SELECT page, ${windowColumns} FROM ${source.from} WHERE ${conditions.join(' AND ')}
    ORDER BY ${sortSql(sort, order)}, clicks DESC, impressions DESC, page LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  const params = { ...source.params, search: search?.toWellFormed(), impressionsAbove, ctrBelow, ctrAtLeast, ...part }
  return askSegmented(client, segment, { sql, row, params })
}
