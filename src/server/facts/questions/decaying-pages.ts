import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { Span } from '../current.ts'
import { askInTime, filterParams, type Filtering, textConditions } from '../filter-sql.ts'
import { askWith } from '../question.ts'
import { tableOf } from '../schema.ts'
import { onStoredLoads, type StoredLoad } from '../stored-loads.ts'
import { pageHoldsText, type Part } from './window-columns.ts'

const row = z.object({ page: z.string(), clicks: z.array(z.number()), impressions: z.array(z.number()) })
export type DecayingPage = z.infer<typeof row>

export type DecayQuestion = {
  property: number
  /** Oldest first. */
  periods: readonly Span[]
  /** The grain's loads for all days of the periods. */
  loads: readonly StoredLoad[]
  /** By page, or by query and page if pages are filtered by their queries. */
  grain?: 'page' | 'query_page'
  /** Filters on texts. */
  filtering?: Filtering | undefined
  search?: string | undefined
}

const everything: Filtering = { where: [], brandTerms: [] }

/** Pages whose clicks fell from each period to the next, largest losses first. Web search only. */
export function decayingPages(client: ClickHouseClient, question: DecayQuestion, part: Part): Promise<DecayingPage[]> {
  const { property, periods, loads, grain = 'page', search, filtering = everything } = question
  if (loads.length === 0) return Promise.resolve([])
  const sums = (figure: string) =>
    `[${periods.map((_, i) => `sumIf(f.${figure}, f.date BETWEEN {start${i}:Date} AND {end${i}:Date})`).join(', ')}]`
  const conditions = [
    onStoredLoads(loads, periods),
    ...textConditions(filtering),
    ...(search ? [pageHoldsText('toString(f.page)', search)] : []),
  ]
  const sql = `SELECT page, clicks, impressions FROM (
      SELECT toString(f.page) AS page, ${sums('clicks')} AS clicks, ${sums('impressions')} AS impressions
      FROM ${tableOf(grain)} AS f WHERE ${conditions.join(' AND ')} GROUP BY f.page)
    WHERE ${periods
      .slice(1)
      .map((_, i) => `clicks[${i + 1}] > clicks[${i + 2}]`)
      .join(' AND ')}
    ORDER BY toInt64(clicks[1]) - toInt64(clicks[${periods.length}]) DESC, page LIMIT {limit:UInt64} OFFSET {offset:UInt64}`
  const days = Object.fromEntries(
    periods.flatMap(({ start, end }, i) => [
      [`start${i}`, start],
      [`end${i}`, end],
    ]),
  )
  const params = { property, ...days, ...filterParams(filtering), search: search?.toWellFormed(), ...part }
  return question.filtering ? askInTime(client, filtering, { sql, row, params }) : askWith(client, { sql, row, params })
}
