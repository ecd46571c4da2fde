import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { askInTime, type Within } from './filter-sql.ts'
import { askWith } from './question.ts'
import type { Grain } from './schema.ts'

const row = z.object({ mark: z.string() })
/** A load published while a query runs causes a retry; this is the maximum number of attempts. */
const attempts = 10
const unfiltered = { where: [], brandTerms: [] }

export type SettledQuestion<Row> = {
  grain: Grain
  /** Filters that a person made up may take too long. */
  within?: Within | null | undefined
  sql: string
  row: z.ZodType<Row>
  params: Record<string, unknown> & { properties: readonly number[]; type: string }
  mostBytes?: number
}

/**
 * Asks one question about many properties that finds the current loads within its own statement (`onCurrentDaysOf`), as they are too many
 * to list. The engine fixes which facts a statement sees before it reads other tables, so it could find a load whose rows it doesn't see
 * (docs/decisions/0003); an answer counts only if no load was published meanwhile.
 * @throws Error if loads are published all the time; a question about fewer properties has better chances
 * @throws TookTooLong
 */
export async function askSettled<Row>(client: ClickHouseClient, { grain, within, ...question }: SettledQuestion<Row>): Promise<Row[]> {
  let before = await markOf(client, grain, question.params)
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const rows = await askInTime(client, within ?? unfiltered, question)
    const after = await markOf(client, grain, question.params)
    if (after === before) return rows
    before = after
  }
  throw new Error('New days are being stored for these properties; their data cannot be read right now')
}

/** Changes whenever another load becomes current. */
async function markOf(client: ClickHouseClient, grain: Grain, { properties, type }: SettledQuestion<unknown>['params']): Promise<string> {
  const sql = `SELECT toString(sum(cityHash64(property, date, newest))) AS mark FROM (
    SELECT c.property AS property, c.date AS date, max(c.load) AS newest FROM facts_current AS c
    WHERE c.property IN {properties:Array(UInt64)} AND c.type = {type:String} AND c.grain = {grain:String} GROUP BY property, date)`
  const [found] = await askWith(client, { sql, row, params: { properties: [...properties], type, grain } })
  return found?.mark ?? ''
}
