import type { ClickHouseClient } from '@clickhouse/client'
import type { z } from 'zod'
import type { IsoDate, SearchType } from '../../contract/common.ts'

/** What every question asks about: one property, one search type, whole days from start to end. */
export type Scope = { property: number; searchType: SearchType; start: IsoDate; end: IsoDate }

/** Runs one question and parses its rows; a row the schema refuses is a defect and throws. */
export async function askWith<Row>(
  client: ClickHouseClient,
  question: { sql: string; row: z.ZodType<Row>; params: Record<string, unknown>; threads?: number },
): Promise<Row[]> {
  const answer = await client.query({
    query: question.sql,
    query_params: question.params,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, ...(question.threads && { max_threads: question.threads }) },
  })
  const rows = await answer.json()
  return question.row.array().parse(rows)
}
