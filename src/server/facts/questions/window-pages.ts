import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { PageListSort } from '../../../contract/pages.ts'
import { askWith } from '../question.ts'
import {
  ctrSql,
  holdsText,
  inWindow,
  ofWindow,
  type Part,
  sortSql,
  windowColumns,
  windowFigures,
  type WindowId,
  windowParams,
} from './window-columns.ts'

export type PagesQuestion = {
  window: WindowId
  search?: string | undefined
  impressionsAbove?: number | undefined
  /** CTR in per cent with two decimals, as it is shown. */
  ctrBelow?: number | undefined
  ctrAtLeast?: number | undefined
  sort: PageListSort
  order: 'asc' | 'desc'
}

const row = windowFigures.extend({ page: z.string() })
export type WindowPage = z.infer<typeof row>

/** Pages of a window with their figures, sorted; the order leaves nothing open, so that parts fit together. */
export function windowPages(client: ClickHouseClient, question: PagesQuestion, part: Part): Promise<WindowPage[]> {
  const { window, search, impressionsAbove, ctrBelow, ctrAtLeast, sort, order } = question
  const shownCtr = `round(100 * ${ctrSql()}, 2)`
  const conditions = [inWindow(), 'impressions > 0']
  if (search) conditions.push(holdsText('page'))
  if (impressionsAbove !== undefined) conditions.push('impressions > {impressionsAbove:Float64}')
  if (ctrBelow !== undefined) conditions.push(`${shownCtr} < {ctrBelow:Float64}`)
  if (ctrAtLeast !== undefined) conditions.push(`${shownCtr} >= {ctrAtLeast:Float64}`)
  const sql = `SELECT page, ${windowColumns} FROM window_page WHERE ${conditions.join(' AND ')}
    ORDER BY ${sortSql(sort, order)}, clicks DESC, impressions DESC, page LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  const params = { ...windowParams(window), search: search?.toWellFormed(), impressionsAbove, ctrBelow, ctrAtLeast, ...part }
  return askWith(client, { sql, row, ...ofWindow, params })
}
